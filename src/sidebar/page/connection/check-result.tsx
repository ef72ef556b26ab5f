// What one real call brought back: each field as sent, what it is read as, and its value.
import { useEffect, useRef } from 'preact/hooks';
import type { CheckReport } from '../../rpc-contract';
import { DoneIcon } from '../frame/icons';
import type { Check } from './state';
import { marketsText, whyShown } from './summary';

/** Rows of grey bars while the answer is on its way: about as many as a service sends. */
const EXPECTED_ROWS = 6;

interface BreakableProps {
  readonly name: string;
}

/** A name may break after an underscore, so that a long one does not push the values away. */
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

function secondsText(latencyMs: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(latencyMs / 1000).toLocaleString(undefined, digits)} s`;
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
        <td>{as === null ? <span class="hint">extra</span> : <Breakable name={as} />}</td>
        <td class="figure">{value === '' ? <span class="hint">none</span> : value}</td>
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
    return (
      <p class="lead">
        The service does not know the product used for checking, {report.asin} on {report.market}.
        It may well know yours.
      </p>
    );
  }
  const hasExtra = report.recognised.some((field) => field.as === null);
  return (
    <>
      <p class="caption" id="check-caption">
        {report.asin} on {report.market}, answered in {secondsText(report.latencyMs)}
      </p>
      <table aria-describedby="check-caption">
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
          {report.recognised.map((field) => (
            <Row key={field.name} field={field} />
          ))}
        </tbody>
      </table>
      {report.marketsTried !== undefined && <p>{marketsText(report.marketsTried)}</p>}
      {hasExtra && <p class="caption">An extra field can be asked for by its own name.</p>}
    </>
  );
}

function Waiting() {
  const rows = Array.from({ length: EXPECTED_ROWS }, (_, row) => row);
  return (
    <>
      <p class="caption">Asking the service for one product</p>
      <div class="bones" aria-hidden="true">
        {rows.map((row) => (
          <div class="bone" key={row} />
        ))}
      </div>
    </>
  );
}

interface ProductFieldProps {
  readonly product: string;
  readonly isBusy: boolean;
  edit(product: string): void;
  ask(): void;
}

/** Enter asks at once; the button below the page does the same. */
function ProductField({ product, isBusy, edit, ask }: ProductFieldProps) {
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
        aria-label="Product to check with"
        placeholder="Test with an ASIN (optional)"
        value={product}
        readOnly={isBusy}
        onInput={(event) => edit(event.currentTarget.value)}
      />
    </form>
  );
}

interface CheckResultProps extends ProductFieldProps {
  readonly check: Check;
}

function titleOf(check: Check): string {
  if (check.at !== 'done') return 'Check';
  return check.report.recognised.length === 0 ? 'The key works' : 'Connected';
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
      {check.at === 'running' && <Waiting />}
      {check.at === 'none' && (
        <p class="lead">One real call shows that the key works and how answers are read.</p>
      )}
      {check.at === 'failed' && <p class="lead">Last check failed.</p>}
      {check.at !== 'running' && <ProductField {...field} />}
    </section>
  );
}
