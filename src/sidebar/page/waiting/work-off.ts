// Works off the products that wait for the key's limit, call after call, while the sidebar is open.
import type { ConnectionStatus } from '../../rpc-contract';
import type { ConnectionEvent } from '../connection/state';
import type { RpcClient } from '../rpc-client';

/** One call's share: short enough that the line moves, and far below Google's six minutes. */
const CALL_MS = 20_000;

/** A call that settled nothing met a long wait: the next ones come ever later, but do come. */
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 300_000;

export interface WaitingWorker {
  /** Begins if something waits, unless a call is under way already. */
  take(status: ConnectionStatus): void;
  /** The connection is another one: what the call under way brings is of the one before. */
  renew(): void;
}

export function createWaitingWorker(
  rpc: RpcClient,
  dispatch: (event: ConnectionEvent) => void,
  pause: (ms: number) => Promise<void>,
): WaitingWorker {
  let isWorking = false;
  let connections = 0;

  async function workOff(): Promise<void> {
    let pauseMs = PAUSE_MS;
    for (;;) {
      const current = connections;
      const reply = await rpc('waiting.work', { maxMs: CALL_MS });
      if (current !== connections) continue;
      if (!reply.ok) return dispatch({ type: 'waitingFailed', failure: reply.failure });
      const { left, settled } = reply.value;
      dispatch({ type: 'waitingCounted', left });
      if (left === 0) return;
      if (settled > 0) pauseMs = PAUSE_MS;
      else {
        await pause(pauseMs);
        pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
      }
    }
  }

  return {
    take(status) {
      if (!status.connected || status.waiting === 0) return;
      dispatch({ type: 'waitingCounted', left: status.waiting });
      if (isWorking) return;
      isWorking = true;
      void workOff().finally(() => {
        isWorking = false;
      });
    },
    renew: () => {
      connections += 1;
    },
  };
}
