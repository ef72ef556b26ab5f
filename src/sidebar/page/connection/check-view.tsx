// The check of a connection: what was read of one answer, what it leaves open, and its raw names.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConnectionSettings } from '../../../connection/connection';
import type { DialectSetting } from '../../../service/dialect';
import type { CheckReport } from '../../api/check';
import { Choice, DoneIcon, Fold, Link } from '../ui/fields';
import { Skeleton } from '../ui/heading';
import type { Check } from './state';
import {
  type Answered,
  answeredIn,
  checkedText,
  choicesOf,
  marketsText,
  QUESTION_WORDS,
  readText,
  unknownProductText,
  VIEW_TEXTS,
} from './texts';

/** Placeholder rows while the answer is on its way. */
const EXPECTED_ROWS = 2;

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

interface NamesFoldProps {
  readonly recognised: CheckReport['recognised'];
}

/** Every member of the answer as the service names it. */
function NamesFold({ recognised }: NamesFoldProps) {
  const [isOpen, toggle] = useState(false);
  const hasExtra = recognised.some((field) => field.as === null);
  return (
    <Fold id="field-names" name={VIEW_TEXTS.fieldNames} isOpen={isOpen} toggle={toggle}>
      <table>
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
          {recognised.map(({ name, as, value }) => (
            <tr key={name}>
              <th scope="row">
                <Breakable name={name} />
              </th>
              <td>
                {as === null ? (
                  <span class="hint">{VIEW_TEXTS.extra}</span>
                ) : (
                  <Breakable name={as} />
                )}
              </td>
              <td class="figure">
                {value === '' ? <span class="hint">{VIEW_TEXTS.none}</span> : value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasExtra && <p class="caption">{VIEW_TEXTS.extraFields}</p>}
    </Fold>
  );
}

interface DecidingProps {
  readonly settings: ConnectionSettings;
  readonly isBusy: boolean;
  decide(setting: DialectSetting, value: string): void;
}

interface QuestionsProps extends DecidingProps {
  readonly answered: Answered;
}

/** What is in force is chosen, so a person who sees right figures has nothing to do. */
function Questions({ answered, settings, isBusy, decide }: QuestionsProps) {
  return (
    <>
      {answered.questions.map((question) => {
        const { setting } = question;
        const group = `question-${setting}`;
        return (
          <fieldset class="field" key={setting}>
            <legend>{QUESTION_WORDS[setting]}</legend>
            {choicesOf(answered, question, settings).map(({ value, label, hint }, at) => (
              <Choice
                key={value}
                type="radio"
                group={group}
                id={`${group}-${at}`}
                label={label}
                hint={hint}
                isChecked={value === (settings[setting] ?? '')}
                isDisabled={isBusy}
                choose={() => decide(setting, value)}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

interface ReportProps extends DecidingProps {
  readonly report: CheckReport;
}

function Report({ report, ...deciding }: ReportProps) {
  const answered = answeredIn(report);
  if (answered === null) return <p class="lead">{unknownProductText(report)}</p>;
  return (
    <>
      <p class="caption">{checkedText(report)}</p>
      <p class="read">{readText(answered, deciding.settings)}</p>
      <Questions answered={answered} {...deciding} />
      <NamesFold recognised={report.recognised} />
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

interface CheckResultProps extends Omit<ProductFieldProps, 'isAnswered'>, DecidingProps {
  readonly check: Check;
  /** Asks for a UK product under other names of the market; null if that is not allowed. */
  readonly tryMarkets: (() => void) | null;
}

function titleOf(check: Check): string {
  if (check.at !== 'done') return VIEW_TEXTS.check;
  return check.report.sent === null ? VIEW_TEXTS.theKeyWorks : VIEW_TEXTS.connected;
}

/** Nothing but an answer shows what the service calls the UK. */
function MarketCode({ check, settings, isBusy, tryMarkets }: CheckResultProps) {
  const tried = check.at === 'done' ? check.report.marketsTried : undefined;
  if (tried !== undefined) return <p class="caption">{marketsText(tried)}</p>;
  if (check.at !== 'done' || settings.ukMarket !== undefined || tryMarkets === null) return null;
  return (
    <p class="caption">
      <Link isDisabled={isBusy} press={tryMarkets}>
        {VIEW_TEXTS.tryMarkets}
      </Link>{' '}
      {VIEW_TEXTS.tryMarketsHint}
    </p>
  );
}

export function CheckResult(props: CheckResultProps) {
  const { check, settings, isBusy, decide, product, edit, ask } = props;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (check.at === 'done') section.current?.scrollIntoView({ block: 'nearest' });
  }, [check.at]);
  return (
    <section ref={section} aria-labelledby="check-title" aria-busy={check.at === 'running'}>
      <h2 id="check-title">
        {check.at === 'done' && <DoneIcon />} {titleOf(check)}
      </h2>
      {check.at === 'done' && (
        <Report report={check.report} settings={settings} isBusy={isBusy} decide={decide} />
      )}
      {check.at === 'running' && (
        <>
          <p class="caption">{VIEW_TEXTS.asking}</p>
          <Skeleton rows={EXPECTED_ROWS} />
        </>
      )}
      {check.at === 'none' && <p class="lead">{VIEW_TEXTS.checkLead}</p>}
      {check.at === 'failed' && <p class="lead">{VIEW_TEXTS.checkFailed}</p>}
      <MarketCode {...props} />
      {check.at !== 'running' && (
        <ProductField
          product={product}
          isBusy={isBusy}
          edit={edit}
          ask={ask}
          isAnswered={check.at === 'done'}
        />
      )}
    </section>
  );
}
