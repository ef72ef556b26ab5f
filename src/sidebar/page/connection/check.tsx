// The check of a connection: what was read of one answer, what it leaves open, and its raw names.

import { useEffect, useRef } from 'preact/hooks';
import type { ConnectionSettings } from '../../../connection/connection';
import type { DialectSetting } from '../../../service/dialect';
import type { CheckReport } from '../../api/check';
import { Unfold } from '../ui/doing';
import { Choice, DoneIcon } from '../ui/fields';
import { Skeleton } from '../ui/heading';
import { type Answered, answeredIn, choicesOf, readText } from './answer';
import { busy, check, checkFailure, checkProduct, decide, product, report } from './connection';
import type { Connected } from './status';

/** Placeholder rows while the answer is on its way. */
const EXPECTED_ROWS = 2;

/** Whether nothing else can be asked for. */
const isAsking = (): boolean => busy.value !== null || check.isBusy;

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

/** Every member of the answer as the service names it. */
function FieldNames({ recognised }: Pick<CheckReport, 'recognised'>) {
  return (
    <Unfold id="field-names" name="Field names">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Read as</th>
            <th scope="col" class="figure">
              Value
            </th>
          </tr>
        </thead>
        <tbody>
          {recognised.map(({ name, as, value }) => (
            <tr key={name}>
              <th scope="row">
                <Breakable name={name} />
              </th>
              <td>{as === null ? <span class="hint">extra</span> : <Breakable name={as} />}</td>
              <td class="figure">{value === '' ? <span class="hint">none</span> : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {recognised.some(({ as }) => as === null) && (
        <p class="caption">Formulas can ask for an extra field by its own name.</p>
      )}
    </Unfold>
  );
}

/** The legends of the questions. */
const QUESTION_WORDS: Readonly<Record<DialectSetting, string>> = {
  roiUnit: 'ROI',
  moneyUnit: 'Money',
  buyPriceName: 'Buy price',
  sellPriceName: 'Sell price',
};

interface QuestionsProps {
  readonly answered: Answered;
  readonly settings: ConnectionSettings;
}

/** What is in force is chosen, so a person who sees right figures has nothing to do. */
function Questions({ answered, settings }: QuestionsProps) {
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
                isDisabled={isAsking()}
                choose={() => void decide(setting, value)}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

function secondsText(latencyMs: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(latencyMs / 1000).toLocaleString(undefined, digits)} s`;
}

function Report({
  of,
  settings,
}: {
  readonly of: CheckReport;
  readonly settings: ConnectionSettings;
}) {
  const { asin, market, latencyMs } = of;
  const answered = answeredIn(of);
  if (answered === null)
    return (
      <p class="lead">
        {`The service does not know the product used for checking, ${asin} on ${market}. It may know yours.`}
      </p>
    );
  return (
    <>
      <p class="caption">{`${asin} on ${market}, answered in ${secondsText(latencyMs)}`}</p>
      <p class="read">{readText(answered, settings)}</p>
      <Questions answered={answered} settings={settings} />
    </>
  );
}

/**
 * Enter starts a check at once. Until there is an answer, the button below the page does the same;
 * then that leads on, so a second check starts here.
 */
function ProductField() {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAsking()) checkProduct();
      }}
    >
      <input
        id="check-product"
        class="product"
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label="Product to check with"
        placeholder="Test with an ASIN (optional)"
        value={product.value}
        readOnly={isAsking()}
        onInput={(event) => {
          product.value = event.currentTarget.value;
        }}
      />
      {report.value !== null && (
        <p class="links">
          <button class="link" type="submit" aria-disabled={isAsking()}>
            Check again
          </button>
        </p>
      )}
    </form>
  );
}

function titleText(): string {
  if (report.value === null) return 'Check';
  return report.value.sent === null ? 'The key works' : 'Connected';
}

export function CheckSection({ status }: { readonly status: Connected }) {
  const section = useRef<HTMLElement>(null);
  const isDone = report.value !== null;
  useEffect(() => {
    if (isDone) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isDone]);
  return (
    <section ref={section} aria-labelledby="check-title" aria-busy={check.isBusy}>
      <h2 id="check-title">
        {isDone && <DoneIcon />} {titleText()}
      </h2>
      {report.value !== null && <Report of={report.value} settings={status.settings} />}
      {check.isBusy && (
        <>
          <p class="caption">Asking the service for one product</p>
          <Skeleton rows={EXPECTED_ROWS} />
        </>
      )}
      {!isDone && !check.isBusy && (
        <p class="lead">
          {checkFailure.value === null
            ? 'One real call shows that the key works and decides how answers are read.'
            : 'Last check failed.'}
        </p>
      )}
    </section>
  );
}

/** What few people need: another product, and the names in an answer. */
export function CheckDetails() {
  return (
    <>
      <ProductField />
      {report.value !== null && report.value.sent !== null && (
        <FieldNames recognised={report.value.recognised} />
      )}
    </>
  );
}
