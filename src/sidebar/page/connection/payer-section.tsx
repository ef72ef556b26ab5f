// Whose key the formulas of this spreadsheet spend, how much of it, and how that is ended.
import type { Sharing } from '../../rpc-contract';
import { type Connected, ownOf } from './form';
import type { Change } from './state';
import { type Usage, usageOf } from './usage';

interface CountProps {
  readonly name: string;
  readonly usage: Usage;
  /** What follows when it is used up. */
  readonly warning: string;
}

/** A number with a bar below it; the bar says nothing that the number does not. */
function Count({ name, usage, warning }: CountProps) {
  return (
    <div class={usage.isNear ? 'count near' : 'count'}>
      <p>
        <span>{name}</span> <span class="used-of">{usage.text}</span>
      </p>
      {usage.share !== null && (
        <div class="track" aria-hidden="true">
          <div class="used" style={{ width: `${100 * usage.share}%` }} />
        </div>
      )}
      {usage.isNear && <p class="caption">{warning}</p>}
    </div>
  );
}

interface PayerSectionProps {
  readonly status: Connected;
  readonly isBusy: boolean;
  change(change: Change): void;
  share(sharing: Sharing): void;
  readonly isRefreshing: boolean;
  refresh(): void;
  stop(): void;
}

export function PayerSection(props: PayerSectionProps) {
  const { status, isBusy, change, share, isRefreshing } = props;
  const { payer, cellCalls, googleCalls, googlePropertyCalls, sharing } = status;
  const isOwn = ownOf(status) !== null;
  const isShared = sharing === 'spreadsheet';
  return (
    <section aria-labelledby="payer-title">
      <h2 id="payer-title">Key used by formulas</h2>
      <p class="lead">{payer.text}</p>
      {isOwn && isShared && (
        <p class="caption terms">Everyone’s formulas here spend your calls. Nobody sees the key.</p>
      )}
      <Count
        name="Formulas today"
        usage={usageOf(cellCalls)}
        warning="Near your limit for a day. Formulas then wait until tomorrow."
      />
      {googleCalls !== undefined && (
        <Count
          name="Google calls today"
          usage={usageOf(googleCalls)}
          warning="Near Google’s limit for a day. Calls go on within 24 hours after it."
        />
      )}
      {googlePropertyCalls?.isNear === true && (
        <Count
          name="Settings read today"
          usage={usageOf(googlePropertyCalls)}
          warning="Near Google’s limit for a day. Fewer formulas with longer lists read less."
        />
      )}
      {isOwn && (
        <p class="links">
          <button
            class="link"
            type="button"
            id="change-sharing"
            disabled={isBusy}
            onClick={() => share(isShared ? 'me' : 'spreadsheet')}
          >
            {isShared ? 'Stop sharing' : 'Share my key with this spreadsheet'}
          </button>
          <button
            class="link"
            type="button"
            id="change-cellsPerDay"
            disabled={isBusy}
            onClick={() => change('cellsPerDay')}
          >
            {cellCalls.perDay === null ? 'Limit formulas' : 'Change the limit'}
          </button>
        </p>
      )}
      <p class="links">
        <button
          class="link"
          type="button"
          id="refresh-formulas"
          onClick={isRefreshing ? props.stop : props.refresh}
        >
          {isRefreshing ? 'Stop refreshing' : 'Refresh formulas now'}
        </button>
      </p>
      <p class="caption">Figures younger than 6 hours use no calls.</p>
    </section>
  );
}
