// The sidebar as a whole: the chip on top, the page below it, and where the focus goes.
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { createConnectionActions } from './connection/actions';
import { ConnectionChip } from './connection/connection-chip';
import { ConnectionPage } from './connection/connection-page';
import { chipOf } from './connection/summary';
import type { DraftStore } from './draft-store';
import type { RpcClient } from './rpc-client';
import { firstState } from './state';
import { step } from './step';
import { createWaitingWorker } from './waiting/work-off';

interface SidebarProps {
  readonly rpc: RpcClient;
  readonly drafts: DraftStore;
  readonly pause: (ms: number) => Promise<void>;
}

export function Sidebar({ rpc, drafts, pause }: SidebarProps) {
  const [state, dispatch] = useReducer(step, drafts.read(), firstState);
  const actions = useMemo(
    () => createConnectionActions(rpc, dispatch, createWaitingWorker(rpc, dispatch, pause)),
    [rpc, pause],
  );

  useEffect(() => void actions.load(), [actions]);
  // Before the next paint: who types and closes at once keeps what was typed, too.
  useLayoutEffect(() => {
    if (state.isUnsaved) drafts.write(state.form);
    else drafts.forget();
  }, [drafts, state.form, state.isUnsaved]);
  useLayoutEffect(() => {
    if (state.focus !== null) document.getElementById(state.focus.to)?.focus();
  }, [state.focus]);

  return (
    <>
      <header>
        <ConnectionChip chip={chipOf(state)} />
      </header>
      <ConnectionPage state={state} actions={actions} dispatch={dispatch} />
    </>
  );
}
