// A page of the sidebar without a browser, whose calls wait until the test answers them.

import { jest } from '@jest/globals';

type Reply = { readonly ok: boolean; readonly value?: unknown; readonly failure?: unknown };
export const says = (value: unknown): Reply => ({ ok: true, value });
export const fails = (failure: unknown): Reply => ({ ok: false, failure });

/** @param load requires the page's modules, which then are this test's own. */
export function openPage<Page>(load: () => Page) {
  const calls: {
    readonly method: string;
    readonly payload: unknown;
    answer(reply: Reply): Promise<void>;
  }[] = [];
  const runner = (onValue: (value: unknown) => void = () => {}): object => ({
    withSuccessHandler: (handler: (value: unknown) => void) => runner(handler),
    withFailureHandler: () => runner(onValue),
    rpc: (method: string, payload: unknown) =>
      calls.push({
        ...{ method, payload },
        answer: async (reply) => {
          onValue(reply);
          await new Promise((done) => setImmediate(done));
        },
      }),
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
  const last = (method: string) => {
    const call = calls.filter((one) => one.method === method).at(-1);
    if (call === undefined) throw new Error(`${method} was not called.`);
    return call;
  };
  const count = (method: string) => calls.filter((one) => one.method === method).length;
  return { page, calls, last, count };
}
