// What one real call brought back: each field as sent, what it is read as, and its value.
import { useEffect, useRef } from 'preact/hooks';
import type { CheckReport } from '../../rpc-contract';
import { DoneIcon } from '../frame/icons';
import type { Check } from '../state';

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
            <tr key={field.name}>
              <th scope="row">
                <Breakable name={field.name} />
              </th>
              <td>
                {field.as === null ? (
                  <span class="hint">extra</span>
                ) : (
                  <Breakable name={field.as} />
                )}
              </td>
              <td class="figure">
                {field.value === '' ? <span class="hint">none</span> : field.value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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

interface CheckResultProps {
  readonly check: Check;
}

export function CheckResult({ check }: CheckResultProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (check.at === 'done') section.current?.scrollIntoView({ block: 'nearest' });
  }, [check.at]);
  return (
    <section ref={section} aria-labelledby="check-title" aria-busy={check.at === 'running'}>
      <h2 id="check-title">
        {check.at === 'done' ? (
          <>
            <DoneIcon /> {check.report.recognised.length === 0 ? 'The key works' : 'It works'}
          </>
        ) : (
          'Check'
        )}
      </h2>
      {check.at === 'done' && <Report report={check.report} />}
      {check.at === 'running' && <Waiting />}
      {check.at === 'none' && (
        <p class="lead">A check makes one real call and shows how its answer is read.</p>
      )}
      {check.at === 'failed' && <p class="lead">The last check brought no answer.</p>}
    </section>
  );
}
