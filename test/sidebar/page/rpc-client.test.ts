// The typed client against an imitation of google.script.run that keeps Google's documented rules.
import { describe, expect, it } from '@jest/globals';
import type { ConnectionDraft } from '../../../src/connection/connection';
import type { RpcFailure } from '../../../src/sidebar/api/failure-view';
import {
  CALLS_AT_ONCE,
  createRpcClient,
  type ScriptRunner,
} from '../../../src/sidebar/page/ui/rpc-client';

interface Call {
  readonly method: string;
  readonly payload: unknown;
  succeed(value: unknown): void;
  fail(error: unknown): void;
}

/** As Google's: setters give a new runner and leave the old one alone; nothing answers at once. */
function scriptRun() {
  const calls: Call[] = [];
  const runner = (
    onValue: (value: unknown) => void,
    onError: (error: unknown) => void,
  ): ScriptRunner => ({
    withSuccessHandler: (handler) => runner(handler, onError),
    withFailureHandler: (handler) => runner(onValue, handler),
    rpc(method, payload) {
      // Google clones what crosses; a Date or a function in it fails the call.
      const sent: unknown = structuredClone(payload);
      calls.push({ method, payload: sent, succeed: onValue, fail: onError });
    },
  });
  const ignore = (): void => undefined;
  return { calls, runner: runner(ignore, ignore) };
}

function setUp(isOnline = true) {
  const { calls, runner } = scriptRun();
  const pauses: number[] = [];
  const broken: (string | null)[] = [];
  const waits: (string | null)[] = [];
  const watch = {
    waits: (busy: RpcFailure | null) => void waits.push(busy?.message ?? null),
    ended: (failure: RpcFailure | null) => void broken.push(failure?.kind ?? null),
    pause: async (waitMs: number) => void pauses.push(waitMs),
  };
  const rpc = createRpcClient({ runner, isOnline: () => isOnline }, watch);
  const call = (index: number): Call => {
    const found = calls[index];
    if (found === undefined) throw new Error(`call ${index} has not been made`);
    return found;
  };
  return { calls, call, rpc, pauses, broken, waits };
}

/** Lets what was promised come true. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
const LOST = new Error('NetworkError: Connection failure due to HTTP 0');

const NOT_CONNECTED = { ok: true, value: { connected: false } } as const;

describe('the rpc client', () => {
  it('sends the method and its payload, and gives the reply as it came', async () => {
    const { call, rpc } = setUp();
    const reply = rpc('connection.status', {});
    expect(call(0)).toMatchObject({ method: 'connection.status' });
    expect(call(0)).toHaveProperty('payload', {});
    call(0).succeed(NOT_CONNECTED);
    expect(await reply).toEqual(NOT_CONNECTED);
  });

  it('sends JSON only: a member without a value is left out, so Google does not refuse', () => {
    const { call, rpc } = setUp();
    const draft: ConnectionDraft = {
      baseUrl: 'https://a.example',
      apiKey: 'k',
      quota: null,
      sharing: 'me',
    };
    const careless = { ...draft, toJSON: () => draft, remember: () => 'a function' };
    void rpc('connection.save', careless);
    expect(call(0).payload).toStrictEqual(draft);
  });

  it(`makes ${CALLS_AT_ONCE} calls at a time and lets the others wait their turn`, async () => {
    const { calls, call, rpc } = setUp();
    const replies = Array.from({ length: 25 }, () => rpc('connection.check', {}));
    expect(calls).toHaveLength(10);
    call(3).succeed(NOT_CONNECTED);
    expect(calls).toHaveLength(11);
    call(0).fail(LOST);
    expect(calls).toHaveLength(12);
    // Every answer lets the next one start, so the list grows while it is walked.
    for (let index = 1; index < 25; index += 1) {
      if (index !== 3) call(index).succeed(NOT_CONNECTED);
    }
    const settled = await Promise.all(replies);
    expect(settled.filter((reply) => reply.ok)).toHaveLength(24);
    expect(calls).toHaveLength(25);
  });

  it.each([
    ['NetworkError: Connection failure due to HTTP 0', 'page-connection-lost'],
    ['Authorization is required to perform that action.', 'page-authorisation-lost'],
    ['You do not have permission to call rpc', 'page-authorisation-lost'],
    [
      'A server error occurred while reading from storage. Error code PERMISSION_DENIED.',
      'page-authorisation-lost',
    ],
    ['Exceeded maximum execution time', 'page-call-stopped'],
    ['Une erreur est survenue', 'page-call-stopped'],
  ])('turns “%s” into %s', async (message, kind) => {
    const { call, rpc } = setUp();
    const reply = rpc('connection.check', {});
    call(0).fail(new Error(message));
    expect(await reply).toMatchObject({ ok: false, failure: { kind } });
  });

  it('says that the computer is offline, whatever the error says', async () => {
    const { call, rpc } = setUp(false);
    const reply = rpc('connection.status', {});
    call(0).fail(new Error('Authorization is required'));
    expect(await reply).toMatchObject({ ok: false, failure: { kind: 'page-offline' } });
  });

  it.each([
    ['no reply', null],
    ['a text', 'ok'],
    ['a reply without its value', { ok: true }],
    ['a refusal without its failure', { ok: false }],
    ['an unknown shape', { fine: true }],
  ])('takes %s for a stopped call', async (_name, value) => {
    const { call, rpc } = setUp();
    const reply = rpc('connection.status', {});
    call(0).succeed(value);
    expect(await reply).toMatchObject({ ok: false, failure: { kind: 'page-call-stopped' } });
  });

  it('tells in whole sentences what happened and what to do', async () => {
    const { call, rpc } = setUp();
    const reply = rpc('connection.check', {});
    call(0).fail(LOST);
    expect(await reply).toEqual({
      ok: false,
      failure: {
        kind: 'page-connection-lost',
        message: 'The connection to Google Sheets was lost.',
        action: 'Try again. If it stays like this, reload the spreadsheet.',
      },
    });
  });

  it('repeats a question that changes nothing when the connection was lost, twice at most', async () => {
    const { calls, call, rpc, pauses, broken } = setUp();
    const reply = rpc('connection.status', {});
    for (const made of [0, 1, 2]) {
      call(made).fail(LOST);
      await turn();
    }
    expect(await reply).toMatchObject({ failure: { kind: 'page-connection-lost' } });
    expect(calls).toHaveLength(3);
    expect(pauses).toEqual([500, 2_000]);
    expect(broken).toEqual(['page-connection-lost']);
  });

  it('gives the answer of the repetition, and says that all is well', async () => {
    const { call, rpc, broken } = setUp();
    const reply = rpc('connection.status', {});
    call(0).fail(LOST);
    await turn();
    call(1).succeed(NOT_CONNECTED);
    expect(await reply).toEqual(NOT_CONNECTED);
    expect(broken).toEqual([null]);
  });

  it.each([
    ['a call that changes something', 'connection.clear', LOST],
    ['a call that Google stopped', 'connection.status', new Error('Exceeded maximum time')],
    ['a call without permission', 'connection.status', new Error('Authorization is required')],
  ] as const)('does not repeat %s', async (_name, method, error) => {
    const { calls, call, rpc } = setUp();
    const reply = rpc(method, {});
    call(0).fail(error);
    expect(await reply).toMatchObject({ ok: false });
    expect(calls).toHaveLength(1);
  });

  it('tells the frame of calls that did not get through, not of what the server refused', async () => {
    const { call, rpc, broken } = setUp();
    const replies = [rpc('connection.check', {}), rpc('connection.check', {})];
    call(0).fail(new Error('Authorization is required'));
    call(1).succeed({ ok: false, failure: { kind: 'key-refused', message: 'It was refused.' } });
    await Promise.all(replies);
    expect(broken).toEqual(['page-authorisation-lost', null]);
  });

  it('waits for what somebody else does in the sheet, says so, and goes on by itself', async () => {
    const { call, rpc, pauses, waits } = setUp();
    const message = 'Someone else is adding decisions in this spreadsheet.';
    const reply = rpc('deals.remove', { sheetId: 0, listId: 'a' });
    call(0).succeed({ ok: false, failure: { kind: 'run', why: 'busy', message } });
    await turn();
    expect([pauses, waits]).toEqual([[2_000], [message]]);
    call(1).succeed({ ok: true, value: { rows: 3 } });
    expect(await reply).toEqual({ ok: true, value: { rows: 3 } });
    expect(waits).toEqual([message, null]);
  });

  it('gives up after ten tries where somebody else does not end', async () => {
    const { calls, call, rpc } = setUp();
    const failure = { kind: 'run', why: 'busy', message: 'Somebody is busy.' };
    const reply = rpc('deals.remove', { sheetId: 0, listId: 'a' });
    for (let index = 0; index < 10; index += 1) {
      call(index).succeed({ ok: false, failure });
      await turn();
    }
    expect(await reply).toEqual({ ok: false, failure });
    expect(calls).toHaveLength(10);
  });

  it('fails as a lost connection where the page is opened outside of Sheets', async () => {
    const watch = { ended: () => undefined, pause: async () => undefined };
    const rpc = createRpcClient({ runner: null, isOnline: () => true }, watch);
    const replies = Array.from({ length: 12 }, () => rpc('connection.status', {}));
    for (const reply of await Promise.all(replies)) {
      expect(reply).toMatchObject({ ok: false, failure: { kind: 'page-connection-lost' } });
    }
  });
});
