// The page with a connection: service, key, limit, and whose key formulas use.

import type { ComponentChildren } from 'preact';
import { nowMs } from '../ui/app';
import { Do, Unfold } from '../ui/doing';
import { Link } from '../ui/fields';
import { Title } from '../ui/heading';
import { countText, UI_TEXTS } from '../ui/texts';
import { CheckDetails, CheckSection } from './check';
import { askToRemove, busy, change, isRemoving, relearn, share, TITLE } from './connection';
import { addArguments, isRefreshing, lacking, refresh, stop } from './formulas';
import { type Change, settingsText } from './input';
import { advertisedText, type Connected, hostOf, limitText, ownOf, usageOf } from './status';

interface StatusProps {
  readonly status: Connected;
}

/** A link that opens the form for a part of it. */
function Edit({ what, label, children }: Pick<LineProps, 'what' | 'label' | 'children'>) {
  return (
    <Link
      id={`change-${what}`}
      label={label}
      isDisabled={busy.value !== null || isRemoving.value}
      press={() => change(what)}
    >
      {children}
    </Link>
  );
}

interface LineProps {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
  readonly what: Change;
  readonly verb?: string;
  readonly label?: string;
  readonly isOwn: boolean;
  /** Shown below the value. */
  readonly children?: ComponentChildren;
}

/** How answers are read, tried with a product of the person's own. */
function Reading({ status }: StatusProps) {
  const set = settingsText(status.settings);
  return (
    <>
      {set !== '' && (
        <dl class="lines">
          <Line isOwn={ownOf(status) !== null} name="Settings" value={set} what="settings" />
        </dl>
      )}
      <CheckDetails />
    </>
  );
}

function Line({ name, value, title, what, verb = 'Edit', isOwn, children }: LineProps) {
  return (
    <div class="line">
      <dt>{name}</dt>
      <dd title={title}>
        {value}
        {children}
      </dd>
      {isOwn && (
        <dd class="verb">
          <Edit what={what} label={`${verb} ${name.toLowerCase()}`}>
            {verb}
          </Edit>
        </dd>
      )}
    </div>
  );
}

function Status({ status }: StatusProps) {
  const isOwn = ownOf(status) !== null;
  const told = advertisedText(status, nowMs());
  const { baseUrl } = status;
  return (
    <dl class="lines">
      <Line isOwn={isOwn} name="Address" value={hostOf(baseUrl)} title={baseUrl} what="baseUrl" />
      <Line isOwn={isOwn} name="Key" value={status.keyMask} what="apiKey" verb="Replace" />
      <Line isOwn={isOwn} name="Limit" value={limitText(status)} what="quota">
        {told !== null && (
          <p class="caption">
            {told}{' '}
            <Do id="relearn" task={relearn} args={[]}>
              Detect now
            </Do>
          </p>
        )}
      </Line>
    </dl>
  );
}

function CallsToday({ status }: StatusProps) {
  const { text, isNear } = usageOf(status.cellCalls);
  return (
    <div class={isNear ? 'count near' : 'count'}>
      <p>
        <span>Calls by formulas today</span> <span class="used-of">{text}</span>
      </p>
      {isNear && <p class="caption">Near your daily limit. Formulas then wait until tomorrow.</p>}
    </div>
  );
}

/** What the owner of the key can decide about formulas. */
function OwnerLinks({ status: { sharing, cellCalls } }: StatusProps) {
  const isShared = sharing === 'spreadsheet';
  return (
    <p class="links">
      <Do id="change-sharing" task={share} args={[isShared ? 'me' : 'spreadsheet']}>
        {isShared ? 'Stop sharing' : 'Share my key with this spreadsheet'}
      </Do>
      <Edit what="cellsPerDay">
        {cellCalls.perDay === null ? 'Limit formulas' : 'Change the limit'}
      </Edit>
    </p>
  );
}

function Formulas({ status }: StatusProps) {
  const isOwn = ownOf(status) !== null;
  const { text } = usageOf(status.cellCalls);
  return (
    <Unfold id="payer" name="Formulas and sharing" hint={`${text} calls by formulas today`}>
      <p class="lead">{status.payer.text}</p>
      {isOwn && status.sharing === 'spreadsheet' && (
        <p class="caption terms">
          Everyone’s formulas here spend your calls. No page shows the key.
        </p>
      )}
      <CallsToday status={status} />
      {isOwn && <OwnerLinks status={status} />}
      <p class="links">
        <Link
          id="refresh-formulas"
          press={() => (isRefreshing.value ? stop() : void refresh(false))}
        >
          {isRefreshing.value ? 'Stop refreshing' : 'Refresh formulas now'}
        </Link>
      </p>
      <p class="caption">Figures younger than 6 hours use no calls.</p>
    </Unfold>
  );
}

/** Formulas that no refresh reaches, after one that reached others. */
function Lacking() {
  if (lacking.value === 0) return null;
  const are = lacking.value === 1 ? 'is' : 'are';
  return (
    <section class="lacking">
      <p>
        {`${countText(lacking.value, 'formula')} ${are} not refreshed yet.`}{' '}
        <Do id="add-arguments" task={addArguments} args={[]}>
          Refresh them, too
        </Do>
      </p>
      <p class="caption">This adds ANALYZE_REFRESH to them, so that each refresh reaches them.</p>
    </section>
  );
}

export function Connection({ status }: StatusProps) {
  const isOwn = ownOf(status) !== null;
  return (
    <>
      <Title id={TITLE} text={UI_TEXTS.connection} isHeardOnly />
      <CheckSection status={status} />
      <Lacking />
      <div class="rest plain">
        <Unfold id="key" name="Key and limit" hint={`${status.keyMask} · ${limitText(status)}`}>
          <Status status={status} />
          {isOwn && !isRemoving.value && (
            <p class="links">
              <Link id="remove" isDisabled={busy.value !== null} press={askToRemove}>
                Remove key
              </Link>
            </p>
          )}
        </Unfold>
        <Formulas status={status} />
        <Unfold
          id="reading"
          name="How figures are read"
          hint={settingsText(status.settings) || 'Decided by a check'}
        >
          <Reading status={status} />
        </Unfold>
      </div>
    </>
  );
}
