// What failed, by its reason, each with its rows in the sheet and, where it helps, another try.
import type { BulkStatus } from '../../bulk-contract';
import type { Hands } from './buttons';
import { type FailedWords, failedWords } from './failed-words';
import { NumberLine } from './row-list';
import { isOver } from './state';
import { rowsToLookAt } from './summary';

interface StatusProps {
  readonly status: BulkStatus;
  readonly hands: Hands;
}

interface FailedProps extends StatusProps {
  readonly failed: FailedWords;
  /** The only kind there is: its number stands above it already. */
  readonly isOnly: boolean;
  /** The button below retries more than these. */
  readonly isOneOfSeveral: boolean;
}

function Failed({ status, hands, failed, isOnly, isOneOfSeveral }: FailedProps) {
  const { kind, rows, message, action } = failed;
  const { jobId } = status;
  const { actions, state } = hands;
  const isAsked = state.view.at === 'run' && state.view.asked !== null;
  return (
    <li>
      <span class="number">{!isOnly && rows.toLocaleString()}</span>
      <p>
        {message} <span class="hint">{action}</span>
      </p>
      <span class="verbs">
        <button
          class="link"
          type="button"
          aria-label={`Show: ${rows.toLocaleString()}. ${message}`}
          onClick={() => void actions.show({ jobId, failed: kind }, rows)}
        >
          show
        </button>
        {isOneOfSeveral && (
          <button
            class="link"
            type="button"
            disabled={isAsked}
            aria-label={`Retry: ${rows.toLocaleString()}. ${message}`}
            onClick={() => void actions.retry(jobId, [kind])}
          >
            retry
          </button>
        )}
      </span>
    </li>
  );
}

export function FailedList({ status, hands }: StatusProps) {
  const failures = status.failures.map(failedWords);
  const several = failures.filter(({ canRetry }) => canRetry).length > 1 && isOver(status);
  return (
    <ul class="failed">
      {failures.map((failed) => (
        <Failed
          key={failed.kind}
          status={status}
          hands={hands}
          failed={failed}
          isOnly={failures.length === 1 && failed.rows === rowsToLookAt(status)}
          isOneOfSeveral={several && failed.canRetry}
        />
      ))}
    </ul>
  );
}

/** There is no row to select: their products are named instead. */
export function NotPlaced({ status, hands }: StatusProps) {
  const { count, products } = status.notPlaced;
  if (count === 0) return null;
  const isOpen = hands.state.openList === 'not-placed';
  const words =
    count === 1
      ? 'row is gone, or its status was changed'
      : 'rows are gone, or their status was changed';
  const more = count - products.length;
  return (
    <li>
      <NumberLine count={count} words={words} />
      <button
        class="link"
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'}: ${count.toLocaleString()} ${words}`}
        onClick={() => hands.dispatch({ type: 'listToggled', list: 'not-placed' })}
      >
        {isOpen ? 'hide' : 'show'}
      </button>
      {isOpen && (
        <p class="hint below">
          {products.map(({ asin, market }) => `${asin} ${market}`).join(', ')}
          {more > 0 && ` and ${more.toLocaleString()} more`}
        </p>
      )}
    </li>
  );
}
