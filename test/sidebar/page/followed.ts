// Something of the page that goes on by itself, with its calls answered and its pauses ended one by one.
import {
  createRpcClient,
  type RpcClient,
  type ScriptRunner,
} from '../../../src/sidebar/page/ui/rpc-client';

export interface Asked {
  readonly method: string;
  readonly payload: unknown;
  isOpen: boolean;
  answer(reply: unknown): void;
  breakOff(): void;
}

type Create<Worker, Event> = (
  rpc: RpcClient,
  dispatch: (event: Event) => void,
  pause: (ms: number) => Promise<void>,
) => Worker;

export function followed<Worker, Event extends { readonly type: string }>(
  create: Create<Worker, Event>,
) {
  const asked: Asked[] = [];
  const events: Event[] = [];
  const pauses: { readonly ms: number; end(): void }[] = [];
  const runner = (
    onValue: (value: unknown) => void,
    onError: (error: unknown) => void,
  ): ScriptRunner => ({
    withSuccessHandler: (handler) => runner(handler, onError),
    withFailureHandler: (handler) => runner(onValue, handler),
    rpc: (method, payload) => {
      const breakOff = () => onError(new Error('NetworkError: HTTP 0'));
      asked.push({ method, payload, isOpen: true, answer: onValue, breakOff });
    },
  });
  const pause = (ms: number) => new Promise<void>((end) => pauses.push({ ms, end }));
  const none = () => undefined;
  const browser = { runner: runner(none, none), isOnline: () => true };
  const rpc = createRpcClient(browser, { ended: none, pause: async () => undefined });
  const worker = create(rpc, (event) => void events.push(event), pause);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** The call at this place, or the first of this name that waits for its answer. */
  const open = (which: string | number): Asked => {
    const call =
      typeof which === 'number'
        ? asked[which]
        : asked.find(({ isOpen, method }) => isOpen && method === which);
    if (call === undefined) throw new Error(`Nobody waits for ${which}.`);
    call.isOpen = false;
    return call;
  };
  return {
    worker,
    asked,
    events,
    types: () => events.map(({ type }) => type),
    pausesMs: () => pauses.map(({ ms }) => ms),
    async answer(which: string | number, reply: unknown) {
      open(which).answer(reply);
      await settle();
    },
    async breakOff(which: string | number) {
      open(which).breakOff();
      await settle();
    },
    async endPauses() {
      for (const { end } of pauses.splice(0)) end();
      await settle();
    },
    settle,
  };
}
