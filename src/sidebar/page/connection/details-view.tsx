// Parts of the page with a connection: the result of a check, resolved settings, notices, settings
// as text.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConnectionSettings } from '../../../connection/connection';
import type { CheckReport } from '../../api/check';
import { DoneIcon, FailureIcon, Fold, Link } from '../ui/fields';
import { Skeleton } from '../ui/heading';
import type { Change, Check } from './state';
import {
  checkedText,
  DECISION_WORDS,
  type Decision,
  decidersText,
  decisionValue,
  decisionWhy,
  type Finding,
  marketsText,
  unknownProductText,
  VIEW_TEXTS,
  verbLabel,
  whyShown,
} from './texts';

/** Placeholder rows while the answer is on its way: about as many as a service sends. */
const EXPECTED_ROWS = 6;

interface BreakableProps {
  readonly name: string;
}

/** A name may wrap after an underscore, so that a long one does not push the values out of view. */
function Breakable({ name }: BreakableProps) {
  const end = name.indexOf('_') + 1;
  if (end === 0) return <>{name}</>;
  return (
    <>
      {name.slice(0, end)}
      <wbr />
      <Breakable name={name.slice(end)} />
    </>
  );
}

interface RowProps {
  readonly field: CheckReport['recognised'][number];
}

function Row({ field }: RowProps) {
  const { name, as, value } = field;
  const why = whyShown(field);
  return (
    <>
      <tr class={why === undefined ? undefined : 'explained'}>
        <th scope="row">
          <Breakable name={name} />
        </th>
        <td>
          {as === null ? <span class="hint">{VIEW_TEXTS.extra}</span> : <Breakable name={as} />}
        </td>
        <td class="figure">{value === '' ? <span class="hint">{VIEW_TEXTS.none}</span> : value}</td>
      </tr>
      {why !== undefined && (
        <tr>
          <td class="caption" colSpan={3}>
            {why}
          </td>
        </tr>
      )}
    </>
  );
}

interface ReportProps {
  readonly report: CheckReport;
}

function Report({ report }: ReportProps) {
  if (report.recognised.length === 0) {
    return <p class="lead">{unknownProductText(report)}</p>;
  }
  const hasExtra = report.recognised.some((field) => field.as === null);
  return (
    <>
      <p class="caption" id="check-caption">
        {checkedText(report)}
      </p>
      <table aria-describedby="check-caption">
        <thead>
          <tr>
            <th scope="col">{VIEW_TEXTS.field}</th>
            <th scope="col">{VIEW_TEXTS.readAs}</th>
            <th scope="col" class="figure">
              {VIEW_TEXTS.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {report.recognised.map((field) => (
            <Row key={field.name} field={field} />
          ))}
        </tbody>
      </table>
      {report.marketsTried !== undefined && <p>{marketsText(report.marketsTried)}</p>}
      {hasExtra && <p class="caption">{VIEW_TEXTS.extraFields}</p>}
    </>
  );
}

interface ProductFieldProps {
  readonly product: string;
  readonly isBusy: boolean;
  /**
   * Whether there is an answer. The button below the page then leads on, so a second check starts
   * here.
   */
  readonly isAnswered: boolean;
  edit(product: string): void;
  ask(): void;
}

/**
 * Enter starts a check at once. Until there is an answer, the button below the page does the same.
 */
function ProductField({ product, isBusy, isAnswered, edit, ask }: ProductFieldProps) {
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (!isBusy) ask();
  };
  return (
    <form onSubmit={onSubmit}>
      <input
        id="check-product"
        class="product"
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label={VIEW_TEXTS.checkProduct}
        placeholder={VIEW_TEXTS.checkProductHint}
        value={product}
        readOnly={isBusy}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      {isAnswered && (
        <p class="links">
          <button class="link" type="submit" aria-disabled={isBusy}>
            {VIEW_TEXTS.checkAgain}
          </button>
        </p>
      )}
    </form>
  );
}

interface CheckResultProps extends Omit<ProductFieldProps, 'isAnswered'> {
  readonly check: Check;
}

function titleOf(check: Check): string {
  if (check.at !== 'done') return VIEW_TEXTS.check;
  return check.report.recognised.length === 0 ? VIEW_TEXTS.theKeyWorks : VIEW_TEXTS.connected;
}

export function CheckResult({ check, ...field }: CheckResultProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (check.at === 'done') section.current?.scrollIntoView({ block: 'nearest' });
  }, [check.at]);
  return (
    <section ref={section} aria-labelledby="check-title" aria-busy={check.at === 'running'}>
      <h2 id="check-title">
        {check.at === 'done' && <DoneIcon />} {titleOf(check)}
      </h2>
      {check.at === 'done' && <Report report={check.report} />}
      {check.at === 'running' && (
        <>
          <p class="caption">{VIEW_TEXTS.asking}</p>
          <Skeleton rows={EXPECTED_ROWS} />
        </>
      )}
      {check.at === 'none' && <p class="lead">{VIEW_TEXTS.checkLead}</p>}
      {check.at === 'failed' && <p class="lead">{VIEW_TEXTS.checkFailed}</p>}
      {check.at !== 'running' && <ProductField {...field} isAnswered={check.at === 'done'} />}
    </section>
  );
}

interface DecisionsFoldProps {
  readonly decisions: readonly Decision[];
  readonly isBusy: boolean;
  /** null if the connection is somebody else's. */
  readonly change: ((change: Change) => void) | null;
  /** Asks for a UK product under other names of the market; null if that is not allowed. */
  readonly tryMarkets: (() => void) | null;
}

function DecisionLine({ decision, isBusy, change, tryMarkets }: LineProps) {
  const { what, decidedBy, setting } = decision;
  const name = DECISION_WORDS[what];
  return (
    <li class="decision">
      <p class="what">
        <span class="caption">{name}</span>
        <span class="value">{decisionValue(decision)}</span>
        {change !== null && (
          <Link
            id={`change-${setting}`}
            label={verbLabel(VIEW_TEXTS.change, name)}
            isDisabled={isBusy}
            press={() => change(setting)}
          >
            {VIEW_TEXTS.change}
          </Link>
        )}
      </p>
      <p class="caption">{decisionWhy(decision)}</p>
      {what === 'uk-market' && tryMarkets !== null && decidedBy === 'assumed' && (
        <Link isDisabled={isBusy} press={tryMarkets}>
          {VIEW_TEXTS.tryMarkets}
        </Link>
      )}
    </li>
  );
}

interface LineProps extends Omit<DecisionsFoldProps, 'decisions'> {
  readonly decision: Decision;
}

export function DecisionsFold({ decisions, ...others }: DecisionsFoldProps) {
  const [isOpen, toggle] = useState(false);
  if (decisions.length === 0) return null;
  return (
    <Fold
      id="connection-decisions"
      name={VIEW_TEXTS.fieldMapping}
      hint={decidersText(decisions)}
      isOpen={isOpen}
      toggle={toggle}
    >
      <ul class="decisions">
        {decisions.map((decision) => (
          <DecisionLine key={decision.what} decision={decision} {...others} />
        ))}
      </ul>
    </Fold>
  );
}

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly isBusy: boolean;
  /** null if the connection is somebody else's. */
  readonly follow: ((suggested: ConnectionSettings) => void) | null;
}

export function Findings({ findings, isBusy, follow }: FindingsProps) {
  return (
    <>
      {findings.map(({ kind, what, message, action, suggested }) => (
        <div class={`card ${kind === 'contradiction' ? 'caution' : ''}`} key={kind + what}>
          {kind === 'contradiction' && <FailureIcon />}
          <div>
            <p>
              {message} {action}
            </p>
            {follow !== null && (
              <Link isDisabled={isBusy} press={() => follow(suggested)}>
                {kind === 'contradiction' ? VIEW_TEXTS.switch : VIEW_TEXTS.confirm}
              </Link>
            )}
          </div>
        </div>
      ))}
    </>
  );
}
