// A page of the sidebar without a browser, whose calls wait until the test answers them.

import { jest } from '@jest/globals';

type Reply = { readonly ok: boolean; readonly value?: unknown; readonly failure?: unknown };
export const says = (value: unknown): Reply => ({ ok: true, value });
export const fails = (failure: unknown): Reply => ({ ok: false, failure });

/**
 * Opens a page without a window.
 *
 * @param rpc takes a call of the page, and what is to be done with its reply.
 * @param load requires the page's modules, which then are this test's own.
 */
export function openPageOver<Page>(
  rpc: (method: string, payload: object, onValue: (value: unknown) => void) => void,
  load: () => Page,
): Page {
  const runner = (onValue: (value: unknown) => void = () => {}): object => ({
    withSuccessHandler: runner,
    withFailureHandler: () => runner(onValue),
    rpc: (method: string, payload: object) => rpc(method, payload, onValue),
  });
  Object.assign(globalThis, {
    ...{ __VERSION__: '1', google: { script: { run: runner() } } },
    ...{ document: { getElementById: () => null, querySelector: () => null } },
    window: { addEventListener: () => {} },
  });
  let page = {} as Page;
  jest.isolateModules(() => {
    page = load();
  });
  return page;
}

/** The same, where each call waits until the test answers it. */
export function openPage<Page>(load: () => Page) {
  const calls: {
    readonly method: string;
    readonly payload: unknown;
    answer(reply: Reply): Promise<void>;
  }[] = [];
  const page = openPageOver((method, payload, onValue) => {
    const answer = async (reply: Reply) => {
      onValue(reply);
      await new Promise((done) => setImmediate(done));
    };
    calls.push({ method, payload, answer });
  }, load);
  const last = (method: string) => {
    const call = calls.filter((one) => one.method === method).at(-1);
    if (call === undefined) throw new Error(`${method} was not called.`);
    return call;
  };
  const count = (method: string) => calls.filter((one) => one.method === method).length;
  return { page, calls, last, count };
}
