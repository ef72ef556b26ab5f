// A number with its rows: pressed, it selects them in the sheet and unfolds the list of them.
import type { BulkChoice, RowList } from '../../bulk-contract';
import type { Hands } from './buttons';
import type { ListName } from './state';
import { rowWhy } from './words';

/** More would be scrolled past, not read; the sheet itself shows the others. */
const LISTED_MAX = 20;

interface NumberLineProps {
  readonly count: number;
  readonly words: string;
  /** Quiet numbers are those that ask for nothing. */
  readonly tone?: 'caution';
}

/** Two cells of the grid of numbers; what else its line has comes after them. */
export function NumberLine({ count, words, tone }: NumberLineProps) {
  return (
    <>
      <span class={`number ${tone ?? ''}`}>{count.toLocaleString()}</span>
      <span>{words}</span>
    </>
  );
}

interface RowsLineProps extends NumberLineProps {
  readonly name: ListName;
  readonly list: RowList;
  /** Where the list was when it was checked. */
  readonly place: Pick<BulkChoice, 'sheetId' | 'productColumn'>;
  readonly hands: Hands;
}

export function RowsLine({ name, list, place, hands, ...line }: RowsLineProps) {
  const { state, actions, dispatch } = hands;
  if (list.count === 0) return null;
  const isOpen = state.openList === name;
  const show = (rows: RowList['rows'], wanted: number) => {
    const listed = rows.map(({ row, shown }) => ({ row, shown }));
    void actions.show({ ...place, rows: listed }, wanted);
  };
  const listed = list.rows.slice(0, LISTED_MAX);
  return (
    <li>
      <NumberLine {...line} />
      <button
        class="link"
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'}: ${line.count.toLocaleString()} ${line.words}`}
        onClick={() => {
          if (!isOpen) show(list.rows, list.count);
          dispatch({ type: 'listToggled', list: name });
        }}
      >
        {isOpen ? 'hide' : 'show'}
      </button>
      {isOpen && (
        <ul class="rows">
          {listed.map((one) => (
            <li key={one.row}>
              <button
                class="link"
                type="button"
                aria-label={`Go to row ${one.row}`}
                onClick={() => show([one], 1)}
              >
                {one.row}
              </button>
              <p>
                <span class="shown">{one.shown}</span> <span class="hint">{rowWhy(one)}</span>
              </p>
            </li>
          ))}
          {list.count > listed.length && (
            <li class="hint">and {(list.count - listed.length).toLocaleString()} more</li>
          )}
        </ul>
      )}
    </li>
  );
}
