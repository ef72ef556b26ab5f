// A connected page: service, key, limit, and whose key formulas use.

import type { ComponentChildren } from 'preact';
import type { Sharing } from '../../../connection/connection-store';
import type { ConnectionActions } from './actions';
import { CheckResult, DecisionsFold, Notices, SettingsFile } from './details-view';
import {
  advertisedText,
  type Connected,
  draftOf,
  formOf,
  limitText,
  ownOf,
  settingsText,
} from './form';
import type { Change, ConnectionEvent, ConnectionState } from './state';
import {
  decisionsOf,
  hostOf,
  noticesOf,
  requestOf,
  type Usage,
  usageOf,
  VIEW_TEXTS,
  withCheck,
} from './texts';

interface LineProps {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
  readonly field: Change;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly change: ((change: Change) => void) | null;
  /** What stands below the value. */
  readonly children?: ComponentChildren;
}

function Line({ name, value, title, field, verb, isBusy, change, children }: LineProps) {
  return (
    <div class="line">
      <dt>{name}</dt>
      <dd title={title}>
        {value}
        {children}
      </dd>
      {change !== null && (
        <dd class="verb">
          <button
            class="link"
            type="button"
            id={`change-${field}`}
            disabled={isBusy}
            aria-label={`${verb} ${name.toLowerCase()}`}
            onClick={() => change(field)}
          >
            {verb}
          </button>
        </dd>
      )}
    </div>
  );
}

interface StatusViewProps {
  readonly status: Connected;
  readonly isBusy: boolean;
  readonly nowMs: number;
  change(change: Change): void;
  relearn(): void;
}

/** A limit that the service named by mistake can be forgotten at once. */
function ToldLimit({ status, isBusy, nowMs, relearn }: Omit<StatusViewProps, 'change'>) {
  const text = advertisedText(status, nowMs);
  if (text === null) return null;
  return (
    <p class="caption">
      {text}{' '}
      <button class="link" type="button" id="relearn" disabled={isBusy} onClick={relearn}>
        {VIEW_TEXTS.detectNow}
      </button>
    </p>
  );
}

function StatusView({ status, isBusy, nowMs, change, relearn }: StatusViewProps) {
  const { baseUrl, keyMask, settings } = status;
  const set = settingsText(settings);
  const shared = { isBusy, change: ownOf(status) === null ? null : change };
  return (
    <dl class="lines">
      <Line
        {...shared}
        name={VIEW_TEXTS.address}
        value={hostOf(baseUrl)}
        title={baseUrl}
        field="baseUrl"
        verb={VIEW_TEXTS.edit}
      />
      <Line
        {...shared}
        name={VIEW_TEXTS.key}
        value={keyMask}
        field="apiKey"
        verb={VIEW_TEXTS.replace}
      />
      <Line
        {...shared}
        name={VIEW_TEXTS.limit}
        value={limitText(status)}
        field="quota"
        verb={VIEW_TEXTS.edit}
      >
        <ToldLimit status={status} isBusy={isBusy} nowMs={nowMs} relearn={relearn} />
      </Line>
      {set !== '' && (
        <Line
          {...shared}
          name={VIEW_TEXTS.settings}
          value={set}
          field="settings"
          verb={VIEW_TEXTS.edit}
        />
      )}
    </dl>
  );
}

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

/** What the owner of the key decides about formulas. */
function OwnerLinks({ status, isBusy, change, share }: PayerSectionProps) {
  const isShared = status.sharing === 'spreadsheet';
  return (
    <p class="links">
      <button
        class="link"
        type="button"
        id="change-sharing"
        disabled={isBusy}
        onClick={() => share(isShared ? 'me' : 'spreadsheet')}
      >
        {isShared ? VIEW_TEXTS.stopSharing : VIEW_TEXTS.share}
      </button>
      <button
        class="link"
        type="button"
        id="change-cellsPerDay"
        disabled={isBusy}
        onClick={() => change('cellsPerDay')}
      >
        {status.cellCalls.perDay === null ? VIEW_TEXTS.limitFormulas : VIEW_TEXTS.changeTheLimit}
      </button>
    </p>
  );
}

function PayerSection(props: PayerSectionProps) {
  const { status, isRefreshing } = props;
  const { payer, cellCalls, googleCalls, googlePropertyCalls, sharing } = status;
  const isOwn = ownOf(status) !== null;
  const isShared = sharing === 'spreadsheet';
  return (
    <section aria-labelledby="payer-title">
      <h2 id="payer-title">{VIEW_TEXTS.keyUsedByFormulas}</h2>
      <p class="lead">{payer.text}</p>
      {isOwn && isShared && <p class="caption terms">{VIEW_TEXTS.sharedTerms}</p>}
      <Count
        name={VIEW_TEXTS.formulasToday}
        usage={usageOf(cellCalls)}
        warning={VIEW_TEXTS.nearOwnLimit}
      />
      {googleCalls !== undefined && (
        <Count
          name={VIEW_TEXTS.googleCallsToday}
          usage={usageOf(googleCalls)}
          warning={VIEW_TEXTS.nearCallLimit}
        />
      )}
      {googlePropertyCalls?.isNear === true && (
        <Count
          name={VIEW_TEXTS.googleStorageReadsToday}
          usage={usageOf(googlePropertyCalls)}
          warning={VIEW_TEXTS.nearReadLimit}
        />
      )}
      {isOwn && <OwnerLinks {...props} />}
      <p class="links">
        <button
          class="link"
          type="button"
          id="refresh-formulas"
          onClick={isRefreshing ? props.stop : props.refresh}
        >
          {isRefreshing ? VIEW_TEXTS.stopRefreshing : VIEW_TEXTS.refreshFormulasNow}
        </button>
      </p>
      <p class="caption">{VIEW_TEXTS.refreshTerms}</p>
    </section>
  );
}

function RemoveLink({ isBusy, ask }: { readonly isBusy: boolean; ask(): void }) {
  return (
    <p class="end">
      <button class="link" type="button" id="remove" disabled={isBusy} onClick={ask}>
        {VIEW_TEXTS.removeKey}
      </button>
    </p>
  );
}

interface ConnectedViewProps {
  readonly state: ConnectionState;
  readonly status: Connected;
  readonly actions: ConnectionActions;
  readonly nowMs: number;
  dispatch(event: ConnectionEvent): void;
}

export function ConnectedView({ state, status, actions, nowMs, dispatch }: ConnectedViewProps) {
  const { view, beside, check, pending, exported, form } = state;
  const isOwn = ownOf(status) !== null;
  const isBusy = view.at !== 'connected' || pending !== null;
  const isAsking = isBusy || check.at === 'running';
  const change = (what: Change) => dispatch({ type: 'changeOpened', change: what });
  const stored = () => draftOf(formOf(status, form), status, '');
  return (
    <>
      <h1 class="heard" id="connection-title" tabIndex={-1}>
        {VIEW_TEXTS.connection}
      </h1>
      <Notices
        notices={noticesOf(withCheck(status, check))}
        isBusy={isBusy}
        follow={isOwn ? (suggested) => void actions.follow(stored(), suggested) : null}
      />
      <StatusView
        status={status}
        isBusy={isBusy}
        nowMs={nowMs}
        change={change}
        relearn={() => void actions.relearn()}
      />
      <CheckResult
        check={check}
        product={beside.product}
        isBusy={isAsking}
        edit={(product) => dispatch({ type: 'besideEdited', change: { product } })}
        ask={() => void actions.check(requestOf(beside))}
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
        <RemoveLink isBusy={isBusy} ask={() => dispatch({ type: 'removalAsked' })} />
      )}
    </>
  );
}
