// The page of a connection: what is connected, what a check showed, whose key pays, how it is read.
import type { ConnectionActions } from './actions';
import { CheckResult } from './check-result';
import { decisionsOf, noticesOf, withCheck } from './decisions';
import { DecisionsFold } from './decisions-fold';
import { type Connected, draftOf, formOf, ownOf } from './form';
import { Notices } from './notices';
import { PayerSection } from './payer-section';
import { SettingsFile } from './settings-file';
import type { Change, ConnectionEvent, ConnectionState } from './state';
import { StatusView } from './status-view';
import { wishOf } from './summary';

interface ConnectedViewProps {
  readonly state: ConnectionState;
  readonly status: Connected;
  readonly actions: ConnectionActions;
  dispatch(event: ConnectionEvent): void;
}

export function ConnectedView({ state, status, actions, dispatch }: ConnectedViewProps) {
  const { view, beside, check, errand, exported, form } = state;
  const isOwn = ownOf(status) !== null;
  const isBusy = view.at !== 'connected' || errand !== null;
  const isAsking = isBusy || check.at === 'running';
  const change = (what: Change) => dispatch({ type: 'changeOpened', change: what });
  const stored = () => draftOf(formOf(status, form), status, '');
  return (
    <>
      <h1 class="heard" id="connection-title" tabIndex={-1}>
        Connection
      </h1>
      <Notices
        notices={noticesOf(withCheck(status, check))}
        isBusy={isBusy}
        follow={isOwn ? (suggested) => void actions.follow(stored(), suggested) : null}
      />
      <StatusView status={status} isBusy={isBusy} change={change} />
      <CheckResult
        check={check}
        product={beside.product}
        isBusy={isAsking}
        edit={(product) => dispatch({ type: 'besideEdited', change: { product } })}
        ask={() => void actions.check(wishOf(beside))}
      />
      <PayerSection
        status={status}
        isBusy={isBusy}
        change={change}
        share={(sharing) => void actions.share(sharing)}
        isRefreshing={state.refreshing.at === 'working'}
        refresh={() => void actions.refreshFormulas()}
        stop={() => actions.stopRefreshing()}
      />
      <DecisionsFold
        decisions={decisionsOf(status)}
        isBusy={isAsking}
        change={isOwn ? change : null}
        tryMarkets={isOwn ? () => void actions.check({ tryMarkets: true }) : null}
      />
      <SettingsFile
        exported={exported}
        importText={beside.importText}
        isBusy={isBusy}
        takeOut={isOwn ? () => void actions.exportSettings() : null}
        edit={(importText) => dispatch({ type: 'besideEdited', change: { importText } })}
        putIn={() => void actions.importSettings(beside.importText.trim())}
      />
      {isOwn && view.at === 'connected' && (
        <p class="end">
          <button
            class="link"
            type="button"
            id="remove"
            disabled={isBusy}
            onClick={() => dispatch({ type: 'removalAsked' })}
          >
            Remove key
          </button>
        </p>
      )}
    </>
  );
}
