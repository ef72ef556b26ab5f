// The "thread" of an execution where nothing runs beside it: the caller's own stack.

import vm from 'node:vm';
import { realmSource } from '../../playground/host/realm-source';
import type { Thread, ThreadMessage, ThreadPool } from '../../playground/host/thread-pool';
import type { SteppedScheduler } from './stepped-scheduler';

/** Thrown into a script that was cut off: nothing that it still does reaches anybody. */
const CUT_OFF = new Error('This execution is over.');

/** A "thread" is the caller's own stack: a call of a service steps the host until its answer is there. */
export function inlinePool(code: string, scheduler: SteppedScheduler): ThreadPool {
  const platform = new vm.Script(realmSource(), { filename: 'platform.js' });
  const script = new vm.Script(code, { filename: 'Code.js' });
  return {
    acquire(listen) {
      let isRunning = false;
      let isDead = false;
      let answer: string | null = null;
      const ask = (text: string, notes: readonly string[]): string => {
        if (isDead) throw CUT_OFF;
        answer = null;
        listen({ kind: 'call', text, notes });
        while (answer === null && !isDead) scheduler.step();
        if (answer === null) throw CUT_OFF;
        return answer;
      };
      const thread: Thread = {
        send(text) {
          if (isRunning) {
            answer = text;
            return;
          }
          isRunning = true;
          const ended = execute(text);
          if (!isDead) listen(ended);
        },
        kill: () => {
          isDead = true;
        },
        release: () => {},
      };

      function execute(launch: string): ThreadMessage {
        const context = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
        const evaluate = (source: string): unknown => vm.runInContext(source, context);
        Object.assign(context, {
          platform: { ask, nowMs: scheduler.nowMs, launch, evaluate },
        });
        platform.runInContext(context);
        const { invoke, fail, outcome } = Reflect.get(context, 'platform') as RealmSide;
        evaluate('delete globalThis.platform');
        try {
          script.runInContext(context);
          invoke();
        } catch (error) {
          fail(error);
        }
        return { kind: 'ended', ...outcome() };
      }

      return thread;
    },
    stop: () => Promise.resolve(),
  };
}

interface RealmSide {
  readonly invoke: () => void;
  readonly fail: (thrown: unknown) => void;
  readonly outcome: () => { readonly text: string; readonly notes: readonly string[] };
}
