// What a run would do, before it is started: rows, calls, time, columns.

import { countBarcodes } from '../../../deal/barcodes-tab';
import { about } from '../../../failures/failure-text';
import { otherMarkets } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { BulkPreflight, RowList } from '../../api/runs';
import { NumberLine, type NumberLineProps } from '../ui/fields';
import { countText, rowWhy } from '../ui/texts';
import type { Effects } from './actions';
import type { CheckedView, ListName } from './state';
import { listBarcodesText } from './texts';

/** More would be scrolled past, not read; the sheet itself shows the others. */
const LISTED_MAX = 20;

interface RowsLineProps extends NumberLineProps {
  readonly name: ListName;
  readonly list: RowList;
  /** Where the list was when it was checked. */
  readonly place: Pick<Choice, 'sheetId' | 'productColumn'>;
  readonly hands: Effects;
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

function costText({ calls, expectedMs, products }: BulkPreflight): string {
  if (products === 0) return 'No product can be read in these rows';
  if (calls === 0) return 'No calls needed: all up to date';
  const time = expectedMs === null ? 'time not known yet' : about(expectedMs);
  return `${countText(calls, 'call')} · ${time}`;
}

function leftText({ googleCallsLeft, planCallsLeft }: BulkPreflight): string {
  const plan = planCallsLeft === null ? '' : ' · none left in the plan';
  return `${countText(googleCallsLeft, 'Google call')} left today${plan}`;
}

/** A run that is longer than the day is no mistake, but nobody should be surprised by it. */
function tooManyText({ calls, googleCallsLeft, planCallsLeft }: BulkPreflight): string | null {
  if (planCallsLeft === 0 && calls > 0)
    return 'The plan of this key is used up. What is fresh is written now, the rest once there is more.';
  return calls > googleCallsLeft
    ? 'Google does not allow so many in one day. The rest can continue tomorrow.'
    : null;
}

/** Why products are asked for again that were answered before. */
function againText({ again }: BulkPreflight): string | null {
  if (again === 0) return null;
  return `${countText(again, 'call')} again: settings of the connection changed how answers are read.`;
}

/** Figures of the other market: they stay beside these, or go; either way there is the other one. */
function OtherMarket({ view, hands }: CheckedBodyProps) {
  const { choice, preflight } = view;
  const { added, areApart, replaced } = preflight;
  const isNew = areApart && added.length > 0;
  if (choice.market.kind !== 'one' || (!isNew && replaced === 0)) return null;
  const mine = choice.market.market;
  const other = otherMarkets(mine).join(' or ');
  return (
    <p class={`remark ${areApart ? 'hint' : 'caution'}`}>
      {areApart
        ? `${other} figures stay; ${mine} figures get their own columns. `
        : `${other} figures in ${countText(replaced, 'row')} will be replaced by ${mine} ones. `}
      <button
        class="link"
        type="button"
        onClick={() => void hands.actions.check({ ...choice, apart: !areApart })}
      >
        {areApart ? `Replace the ${other} figures instead` : 'Use own columns instead'}
      </button>
    </p>
  );
}

interface BarcodesProps {
  /** How many there are; 0: some, but it is not known how many. */
  readonly count: number;
  readonly choice: Choice;
  readonly hands: Effects;
}

/** Has a person say which products barcodes stand for. */
export function ListBarcodes({ count, choice, hands }: BarcodesProps) {
  const { isListing } = hands.state;
  return (
    <p class="links">
      <button
        class="link"
        type="button"
        aria-disabled={isListing}
        onClick={() => {
          if (!isListing) void hands.actions.listBarcodes(choice);
        }}
      >
        {listBarcodesText(count)}
      </button>
    </p>
  );
}

/** Rows of a selection are some of the list's, and of many the page is shown some. */
function Barcodes({ view, hands }: CheckedBodyProps) {
  const { choice, preflight } = view;
  const { count, rows } = preflight.unreadable;
  const listed = countBarcodes(rows.map(({ shown }) => shown));
  const isWhole = choice.rows.kind === 'all' && rows.length === count;
  if (listed === 0) return null;
  return <ListBarcodes count={isWhole ? listed : 0} choice={choice} hands={hands} />;
}

interface CheckedBodyProps {
  readonly view: CheckedView;
  readonly hands: Effects;
}

function Numbers({ view, hands }: CheckedBodyProps) {
  const { products, fresh, unreadable, repaired, duplicates, kept } = view.preflight;
  const { sheetId, productColumn } = view.choice;
  const shared = { place: { sheetId, productColumn }, hands };
  const repeat = duplicates.count === 1 ? 'repeats a product' : 'repeat a product';
  const lines = [
    { name: 'unreadable', words: 'can’t be read', tone: 'caution', list: unreadable },
    { name: 'repaired', words: 'repaired', list: repaired },
    { name: 'duplicates', words: repeat, list: duplicates },
    { name: 'kept', words: 'left as you wrote them', list: kept },
  ] as const;
  return (
    <ul class="numbers">
      <li>
        <NumberLine count={products} words={products === 1 ? 'product' : 'products'} />
      </li>
      {fresh > 0 && (
        <li>
          <NumberLine count={fresh} words="already fresh" />
        </li>
      )}
      {lines.map((line) => (
        <RowsLine key={line.name} {...shared} {...line} count={line.list.count} />
      ))}
    </ul>
  );
}

export function CheckedBody({ view, hands }: CheckedBodyProps) {
  const { preflight } = view;
  const { rows, added, products } = preflight;
  const tooMany = tooManyText(preflight);
  const again = againText(preflight);
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {countText(rows, 'row')}
      </h1>
      <p class="caption">in “{view.look.sheet.name}”</p>
      <Numbers view={view} hands={hands} />
      <Barcodes view={view} hands={hands} />
      <p class="cost">
        <strong>{costText(preflight)}</strong>
        {products > 0 && <span class="hint">{leftText(preflight)}</span>}
      </p>
      <OtherMarket view={view} hands={hands} />
      {again !== null && <p class="remark hint">{again}</p>}
      {tooMany !== null && <p class="remark caution">{tooMany}</p>}
      {products > 0 && added.length > 0 && (
        <p class="remark hint">
          {added.length === 1 ? 'New column' : 'New columns'}: {added.join(', ')}
        </p>
      )}
    </>
  );
}
