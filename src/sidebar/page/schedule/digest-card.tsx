// What happened while nobody looked: on top of the list until it is put away.
import type { Digest, Marked } from '../../schedule-contract';
import { NumberLine } from '../analyze/row-list';
import { FailureIcon } from '../frame/icons';
import type { ListProps } from './buttons';
import { momentText } from './times';

interface MarkedLineProps {
  readonly marked: Marked;
  show(): void;
}

function MarkedLine({ marked: { words, count }, show }: MarkedLineProps) {
  return (
    <li>
      <NumberLine count={count} words={words} tone="caution" />
      <button
        class="link"
        type="button"
        aria-label={`Show: ${count.toLocaleString()}. ${words}`}
        onClick={show}
      >
        show
      </button>
    </li>
  );
}

function Others({ digest }: { readonly digest: Digest }) {
  const { refreshed, failed, changes } = digest;
  const lines = [
    [refreshed, 'refreshed'],
    [failed, 'failed'],
    [changes, changes === 1 ? 'change' : 'changes'],
  ] as const;
  return (
    <>
      {lines.map(
        ([count, words]) =>
          count > 0 && (
            <li key={words}>
              <NumberLine count={count} words={words} />
            </li>
          ),
      )}
    </>
  );
}

export function DigestCard({ view, hands, clock }: ListProps) {
  const { digest } = view.look;
  if (digest === null) return null;
  const { actions } = hands;
  const { marked, refreshed, failed, changes, problem } = digest;
  const isEmpty = marked.length + refreshed + failed + changes === 0;
  // What still stands is said by its schedule, with what to do about it.
  const isSaid = view.look.schedules.some((one) => one.problem?.message === problem?.message);
  const wrong = isSaid ? undefined : problem?.message;
  if (isEmpty && wrong === undefined) return null;
  return (
    <section class="digest" aria-labelledby="schedule-digest">
      <div class="schedule-head">
        <h2 id="schedule-digest">Since {momentText(digest.sinceMs, clock)}</h2>
        <button
          class="link"
          type="button"
          aria-label="Done: put this away"
          disabled={view.asked !== null}
          onClick={() => void actions.seen()}
        >
          Done
        </button>
      </div>
      {!isEmpty && (
        <ul class="numbers">
          {marked.map((one) => (
            <MarkedLine key={one.rule} marked={one} show={() => void actions.show(one)} />
          ))}
          <Others digest={digest} />
        </ul>
      )}
      {wrong !== undefined && (
        <div class="trouble">
          <FailureIcon />
          <p>
            What went wrong last: <strong>{wrong}</strong>
          </p>
        </div>
      )}
      {changes > 0 && <p class="hint under">Each change is in the sheet “Analysis changes”.</p>}
    </section>
  );
}
