// The page with a connection: service, key, limit, and whose key formulas use.

import type { ComponentChildren } from 'preact';
import { Link } from '../ui/fields';
import { Title } from '../ui/heading';
import { UI_TEXTS } from '../ui/texts';
import type { BodyProps, ConnectionActions } from './actions';
import { CheckResult } from './check-view';
import { type Connected, draftOf, formOf, ownOf } from './form';
import {
  besideEdited,
  type Change,
  type ConnectionState,
  changeOpened,
  removalAsked,
} from './state';
import {
  addArgumentsLabel,
  advertisedText,
  hostOf,
  limitText,
  requestOf,
  settingsText,
  type Usage,
  usageOf,
  VIEW_TEXTS,
  verbLabel,
} from './texts';

interface LineProps {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
  readonly field: Change;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly change: ((change: Change) => void) | null;
  /** Shown below the value. */
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
          <Link
            id={`change-${field}`}
            label={verbLabel(verb, name.toLowerCase())}
            isDisabled={isBusy}
            press={() => change(field)}
          >
            {verb}
          </Link>
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

/** The limit that the service stated, with a link to forget it, since it may be wrong. */
function ToldLimit({ status, isBusy, nowMs, relearn }: Omit<StatusViewProps, 'change'>) {
  const text = advertisedText(status, nowMs);
  if (text === null) return null;
  return (
    <p class="caption">
      {text}{' '}
      <Link id="relearn" isDisabled={isBusy} press={relearn}>
        {VIEW_TEXTS.detectNow}
      </Link>
    </p>
  );
}

function StatusView(props: StatusViewProps) {
  const { status, isBusy, change } = props;
  const set = settingsText(status.settings);
  const shared = { isBusy, change: ownOf(status) === null ? null : change };
  const { address, key, limit, settings, edit, replace } = VIEW_TEXTS;
  const host = hostOf(status.baseUrl);
  return (
    <dl class="lines">
      <Line
        {...shared}
        name={address}
        value={host}
        title={status.baseUrl}
        field="baseUrl"
        verb={edit}
      />
      <Line {...shared} name={key} value={status.keyMask} field="apiKey" verb={replace} />
      <Line {...shared} name={limit} value={limitText(status)} field="quota" verb={edit}>
        <ToldLimit {...props} />
      </Line>
      {set !== '' && <Line {...shared} name={settings} value={set} field="settings" verb={edit} />}
    </dl>
  );
}

interface CountProps {
  readonly name: string;
  readonly usage: Usage;
  /** What happens when the allowance is used up. */
  readonly warning: string;
}

/** A number with a bar below it; the bar repeats the number. */
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
  readonly actions: ConnectionActions;
  readonly refreshing: ConnectionState['refreshing'];
}

/** What the owner of the key can decide about formulas. */
function OwnerLinks({ status, isBusy, change, actions }: PayerSectionProps) {
  const isShared = status.sharing === 'spreadsheet';
  return (
    <p class="links">
      <Link
        id="change-sharing"
        isDisabled={isBusy}
        press={() => void actions.share(isShared ? 'me' : 'spreadsheet')}
      >
        {isShared ? VIEW_TEXTS.stopSharing : VIEW_TEXTS.share}
      </Link>
      <Link id="change-cellsPerDay" isDisabled={isBusy} press={() => change('cellsPerDay')}>
        {status.cellCalls.perDay === null ? VIEW_TEXTS.limitFormulas : VIEW_TEXTS.changeTheLimit}
      </Link>
    </p>
  );
}

function PayerSection(props: PayerSectionProps) {
  const { status, actions, refreshing } = props;
  const isRefreshing = refreshing.at === 'working';
  const lacking = refreshing.at === 'done' ? refreshing.report.lacking : 0;
  const { payer, cellCalls, sharing } = status;
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
      {isOwn && <OwnerLinks {...props} />}
      <p class="links">
        <Link
          id="refresh-formulas"
          press={() => void (isRefreshing ? actions.stopRefreshing() : actions.refreshFormulas())}
        >
          {isRefreshing ? VIEW_TEXTS.stopRefreshing : VIEW_TEXTS.refreshFormulasNow}
        </Link>
      </p>
      <p class="caption">{VIEW_TEXTS.refreshTerms}</p>
      {lacking > 0 && (
        <>
          <p class="links">
            <Link id="add-arguments" press={() => void actions.addRefreshArguments()}>
              {addArgumentsLabel(lacking)}
            </Link>
          </p>
          <p class="caption">{VIEW_TEXTS.addArgumentsTerms}</p>
        </>
      )}
    </section>
  );
}

interface ConnectedViewProps extends BodyProps {
  readonly status: Connected;
}

export function ConnectedView({ state, status, actions, nowMs, update }: ConnectedViewProps) {
  const { mode, beside, check, pending, form } = state;
  const isOwn = ownOf(status) !== null;
  const isBusy = mode !== 'resting' || pending !== null;
  const isAsking = isBusy || check.at === 'running';
  const change = (what: Change) => update(changeOpened(what));
  const stored = () => draftOf(formOf(status, form), status, '');
  return (
    <>
      <Title id="connection-title" text={UI_TEXTS.connection} isHeardOnly />
      <StatusView
        status={status}
        isBusy={isBusy}
        nowMs={nowMs}
        change={change}
        relearn={() => void actions.relearn()}
      />
      <CheckResult
        check={check}
        settings={status.settings}
        product={beside.product}
        isBusy={isAsking}
        decide={(setting, value) => void actions.decide(stored(), setting, value)}
        tryMarkets={isOwn ? () => void actions.check({ tryMarkets: true }) : null}
        edit={(product) => update(besideEdited({ product }))}
        ask={() => void actions.check(requestOf(beside))}
      />
      <PayerSection
        status={status}
        isBusy={isBusy}
        change={change}
        actions={actions}
        refreshing={state.refreshing}
      />
      {isOwn && mode === 'resting' && (
        <p class="end">
          <Link id="remove" isDisabled={isBusy} press={() => update(removalAsked)}>
            {VIEW_TEXTS.removeKey}
          </Link>
        </p>
      )}
    </>
  );
}
