// The preview of a run before it starts: rows, calls, time, columns.

import { countBarcodes } from '../../../deal/barcodes-tab';
import { otherMarkets } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { BulkPreflight, RowList } from '../../api/runs';
import { NumberLine, type NumberLineProps } from '../ui/fields';
import { countText, rowWhy, UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import { FIRST, SECOND } from './pair';
import type { CheckedView, ListName } from './state';
import {
  againText,
  BOTH_LEAD,
  callsLeftText,
  costText,
  foldLabel,
  inSheetText,
  keptRowsText,
  listBarcodesText,
  moreText,
  orText,
  otherFiguresText,
  productsText,
  repeatsText,
  replaceText,
  rowLabel,
  tooManyText,
  VIEW_TEXTS,
} from './texts';

/** Nobody reads a longer list; the sheet itself shows the others. */
const LISTED_MAX = 20;

interface RowsLineProps extends NumberLineProps {
  readonly name: ListName;
  readonly list: RowList;
  /** The list's place when it was checked. */
  readonly place: Pick<Choice, 'sheetId' | 'productColumn'>;
  readonly effects: Effects;
}

export function RowsLine({ name, list, place, effects, ...line }: RowsLineProps) {
  const { state, actions, dispatch } = effects;
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
        aria-label={foldLabel(isOpen, line.count, line.words)}
        onClick={() => {
          if (!isOpen) show(list.rows, list.count);
          dispatch({ type: 'listToggled', list: name });
        }}
      >
        {isOpen ? UI_TEXTS.hide : UI_TEXTS.show}
      </button>
      {isOpen && (
        <ul class="rows">
          {listed.map((one) => (
            <li key={one.row}>
              <button
                class="link"
                type="button"
                aria-label={rowLabel(one.row)}
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
            <li class="hint">{moreText(list.count - listed.length)}</li>
          )}
        </ul>
      )}
    </li>
  );
}

/** Says whether figures of the other market are kept or replaced. */
function OtherMarket({ view, effects }: CheckedBodyProps) {
  const { choice, preflight } = view;
  const { added, areApart, replaced } = preflight;
  const isNew = areApart && added.length > 0;
  if (view.second !== null) return <p class="remark hint">{BOTH_LEAD}</p>;
  if (choice.market.kind !== 'one' || (!isNew && replaced === 0)) return null;
  const mine = choice.market.market;
  const other = orText(otherMarkets(mine));
  return (
    <p class={`remark ${areApart ? 'hint' : 'caution'}`}>
      {otherFiguresText(mine, other, areApart ? null : replaced)}{' '}
      <button
        class="link"
        type="button"
        onClick={() => void effects.actions.check({ ...choice, apart: !areApart }, null)}
      >
        {areApart ? replaceText(other) : VIEW_TEXTS.ownColumns}
      </button>
    </p>
  );
}

interface BarcodesProps {
  /** The number of barcodes; 0: there are some, but their number is unknown. */
  readonly count: number;
  readonly choice: Choice;
  readonly effects: Effects;
}

/** Lets a person say which products the barcodes stand for. */
export function ListBarcodes({ count, choice, effects }: BarcodesProps) {
  const { isListing } = effects.state;
  return (
    <p class="links">
      <button
        class="link"
        type="button"
        aria-disabled={isListing}
        onClick={() => {
          if (!isListing) void effects.actions.listBarcodes(choice);
        }}
      >
        {listBarcodesText(count)}
      </button>
    </p>
  );
}

/**
 * The link for unknown barcodes. Their number is known only if the run covers the whole list and
 * the page received all of its unreadable rows.
 */
function Barcodes({ view, effects }: CheckedBodyProps) {
  const { choice, preflight } = view;
  const { count, rows } = preflight.unreadable;
  const listed = countBarcodes(rows.map(({ shown }) => shown));
  const isWhole = choice.rows.kind === 'all' && rows.length === count;
  if (listed === 0) return null;
  return <ListBarcodes count={isWhole ? listed : 0} choice={choice} effects={effects} />;
}

interface CheckedBodyProps {
  readonly view: CheckedView;
  readonly effects: Effects;
}

function Numbers({ view, effects }: CheckedBodyProps) {
  const { products, fresh, unreadable, repaired, duplicates, kept } = view.preflight;
  const { sheetId, productColumn } = view.choice;
  const shared = { place: { sheetId, productColumn }, effects };
  const lines = [
    { name: 'unreadable', words: VIEW_TEXTS.unreadable, tone: 'caution', list: unreadable },
    { name: 'repaired', words: VIEW_TEXTS.repaired, list: repaired },
    { name: 'duplicates', words: repeatsText(duplicates.count), list: duplicates },
    { name: 'kept', words: keptRowsText(kept.count), list: kept },
  ] as const;
  return (
    <ul class="numbers">
      <li>
        <NumberLine count={products} words={productsText(products)} />
      </li>
      {fresh > 0 && (
        <li>
          <NumberLine count={fresh} words={VIEW_TEXTS.alreadyFresh} />
        </li>
      )}
      {lines.map((line) => (
        <RowsLine key={line.name} {...shared} {...line} count={line.list.count} />
      ))}
    </ul>
  );
}

/** Both runs added up as far as their cost is concerned. */
function together({ preflight, second }: CheckedView): BulkPreflight {
  const other = second?.preflight;
  if (other === undefined) return preflight;
  const [one, two] = [preflight.expectedMs, other.expectedMs];
  return {
    ...preflight,
    calls: preflight.calls + other.calls,
    again: preflight.again + other.again,
    expectedMs: one === null || two === null ? null : one + two,
    added: [...preflight.added, ...other.added],
  };
}

function EachMarket({ view }: { readonly view: CheckedView }) {
  const { preflight, second } = view;
  if (second === null) return null;
  const lines = [
    [FIRST, preflight],
    [SECOND, second.preflight],
  ] as const;
  return (
    <ul class="numbers">
      {lines.map(([market, one]) => (
        <li key={market}>
          {market}: {costText(one)}
        </li>
      ))}
    </ul>
  );
}

export function CheckedBody({ view, effects }: CheckedBodyProps) {
  const preflight = together(view);
  const { rows, added, products } = preflight;
  const tooMany = tooManyText(preflight);
  const again = againText(preflight.again);
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {countText(rows, 'row')}
      </h1>
      <p class="caption">{inSheetText(view.look.sheet.name)}</p>
      <Numbers view={view} effects={effects} />
      <Barcodes view={view} effects={effects} />
      <EachMarket view={view} />
      <p class="cost">
        <strong>{costText(preflight)}</strong>
        {products > 0 && <span class="hint">{callsLeftText(preflight)}</span>}
      </p>
      <OtherMarket view={view} effects={effects} />
      {again !== null && <p class="remark hint">{again}</p>}
      {tooMany !== null && <p class="remark caution">{tooMany}</p>}
      {products > 0 && added.length > 0 && (
        <p class="remark hint">
          {added.length === 1 ? VIEW_TEXTS.newColumn : VIEW_TEXTS.newColumns}: {added.join(', ')}
        </p>
      )}
    </>
  );
}
