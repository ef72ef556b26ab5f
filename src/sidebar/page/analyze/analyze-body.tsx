// What stands between chip and buttons on the Analyze page, in each of its views.
import type { ConnectionStatus } from '../../rpc-contract';
import type { Hands } from './buttons';
import { CheckedBody } from './checked-body';
import { ChoosingBody } from './choosing-body';
import { RunBody } from './run-body';

/** Takes the focus after a step, so that it is read out. */
export const TITLE_ID = 'analyze-title';

interface TitleProps {
  readonly text: string;
  readonly lead?: string;
}

function Plain({ text, lead }: TitleProps) {
  return (
    <>
      <h1 id={TITLE_ID} tabIndex={-1}>
        {text}
      </h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </>
  );
}

interface AnalyzeBodyProps {
  readonly hands: Hands;
  readonly connection: ConnectionStatus | null;
  readonly nowMs: number;
}

export function AnalyzeBody({ hands, connection, nowMs }: AnalyzeBodyProps) {
  const { view } = hands.state;
  if (view.at === 'run') return <RunBody view={view} hands={hands} nowMs={nowMs} />;
  if (connection?.connected === false) {
    return (
      <Plain
        text="Connect your key first"
        lead="A run uses your own key. Enter it under Connection, then come back here."
      />
    );
  }
  switch (view.at) {
    case 'loading':
      return (
        <>
          <Plain text="Analyze" />
          <div class="bones" aria-hidden="true">
            <div class="bone" />
            <div class="bone" />
            <div class="bone" />
            <div class="bone" />
          </div>
        </>
      );
    case 'unreached':
      return <Plain text="Analyze" lead="The sheet could not be read just now." />;
    case 'choosing':
      return <ChoosingBody view={view} hands={hands} nowMs={nowMs} />;
    case 'checked':
      return <CheckedBody view={view} hands={hands} />;
  }
}
