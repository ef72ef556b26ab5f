// The preview of a job before it starts: rows, calls, time, columns.

import { isBarcode } from '../../../product/asin';
import type { Choice, JobPreview, RowList } from '../../api/jobs';
import { NumberLine, type NumberLineProps } from '../ui/fields';
import { countText, productsText, rowWhy, UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import { FIRST, SECOND } from './pair';
import type { ListName, PreviewView } from './state';
import {
  BOTH_LEAD,
  barcodesText,
  callsLeftText,
  costText,
  foldLabel,
  inSheetText,
  moreText,
  repeatsText,
  rowLabel,
  tooManyText,
  VIEW_TEXTS,
} from './texts';

/** Nobody reads a longer list; the sheet itself shows the others. */
const LISTED_MAX = 20;

interface RowsLineProps extends NumberLineProps {
  readonly name: ListName;
  readonly list: RowList;
  /** The list's place when it was previewed. */
  readonly place: Pick<Choice, 'sheetId' | 'productColumn'>;
  readonly effects: Effects;
}

function RowsLine({ name, list, place, effects, ...line }: RowsLineProps) {
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

interface PreviewBodyProps {
  readonly view: PreviewView;
  readonly effects: Effects;
}

function Numbers({ view, effects }: PreviewBodyProps) {
  const { products, fresh, unreadable, repaired, duplicates } = view.preview;
  const { sheetId, productColumn } = view.choice;
  const shared = { place: { sheetId, productColumn }, effects };
  const lines = [
    { name: 'unreadable', words: VIEW_TEXTS.unreadable, tone: 'caution', list: unreadable },
    { name: 'repaired', words: VIEW_TEXTS.repaired, list: repaired },
    { name: 'duplicates', words: repeatsText(duplicates.count), list: duplicates },
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

/** Both jobs added up as far as their cost is concerned. */
function together({ preview, second }: PreviewView): JobPreview {
  const other = second?.preview;
  if (other === undefined) return preview;
  const one = preview.expectedMs;
  const two = other.expectedMs;
  return {
    ...preview,
    calls: preview.calls + other.calls,
    expectedMs: one === null || two === null ? null : one + two,
    added: [...preview.added, ...other.added],
  };
}

function EachMarket({ view }: { readonly view: PreviewView }) {
  const { preview, second } = view;
  if (second === null) return null;
  const lines = [
    [FIRST, preview],
    [SECOND, second.preview],
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

/** Codes of goods, which a person has to name the products of. */
function Barcodes({ preview }: { readonly preview: JobPreview }) {
  const count = preview.unreadable.rows.filter(({ shown }) => isBarcode(shown)).length;
  return count === 0 ? null : <p class="remark hint">{barcodesText(count)}</p>;
}

export function PreviewBody({ view, effects }: PreviewBodyProps) {
  const preview = together(view);
  const { rows, added, products } = preview;
  const tooMany = tooManyText(preview);
  const callsLeft = callsLeftText(preview);
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {countText(rows, 'row')}
      </h1>
      <p class="caption">{inSheetText(view.look.sheet.name)}</p>
      <Numbers view={view} effects={effects} />
      <Barcodes preview={preview} />
      <EachMarket view={view} />
      <p class="cost">
        <strong>{costText(preview)}</strong>
        {callsLeft !== null && <span class="hint">{callsLeft}</span>}
      </p>
      {view.second !== null && <p class="remark hint">{BOTH_LEAD}</p>}
      {tooMany !== null && <p class="remark caution">{tooMany}</p>}
      {products > 0 && added.length > 0 && (
        <p class="remark hint">
          {added.length === 1 ? VIEW_TEXTS.newColumn : VIEW_TEXTS.newColumns}: {added.join(', ')}
        </p>
      )}
    </>
  );
}
