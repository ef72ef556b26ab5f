// The cleanup of the product column: totals, each change, and the cells that stay as they are.

import { Link, NumberLine } from '../ui/fields';
import { Skeleton } from '../ui/heading';
import type { Effects } from './actions';
import { ListBarcodes, RowsLine } from './checked-view';
import { type CleanupChange, type CleanupView, isTicked } from './state';
import {
  CHANGE_WORDS,
  changeText,
  columnName,
  firstOfManyText,
  inSheetText,
  LEFT_WORDS,
  moreText,
  repeatsKeptText,
  toCleanUpText,
  undoLabel,
  VIEW_TEXTS,
} from './texts';

/** Nobody reads a longer list. */
const LISTED_MAX = 20;

/** The number of rows that can be selected at once. */
const SELECTED_MAX = 1_000;

/** A longer link is shortened to its beginning and its end. */
const SHOWN_CHARS = 44;

const cut = (text: string) =>
  text.length > SHOWN_CHARS
    ? `${text.slice(0, SHOWN_CHARS / 2)}…${text.slice(-SHOWN_CHARS / 2)}`
    : text;

interface CleanupBodyProps {
  readonly view: CleanupView;
  readonly effects: Effects;
}

function Change({ change, view, effects }: CleanupBodyProps & { readonly change: CleanupChange }) {
  const { row, seen, put, why } = change;
  const id = `analyze-change-${row}`;
  return (
    <li class="tick change">
      <input
        type="checkbox"
        id={id}
        checked={isTicked(view, change)}
        disabled={view.isWriting}
        aria-describedby={`${id}-why`}
        onChange={() => effects.dispatch({ type: 'tickFlipped', row })}
      />
      <label for={id}>
        <span class="shown">{cut(String(seen))}</span> → <strong>{put}</strong>
      </label>
      <span class="hint" id={`${id}-why`}>
        {changeText(row, why)}
      </span>
    </li>
  );
}

interface ChangesProps extends CleanupBodyProps {
  readonly id: string;
  readonly title: string;
  readonly changes: readonly CleanupChange[];
  /** What happens to the changes that are not listed. */
  readonly rest: string;
}

function Changes({ id, title, changes, rest, ...shared }: ChangesProps) {
  if (changes.length === 0) return null;
  const others = changes.length - LISTED_MAX;
  return (
    <section class="changes" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {changes.slice(0, LISTED_MAX).map((change) => (
          <Change key={change.row} change={change} {...shared} />
        ))}
      </ul>
      {others > 0 && <p class="hint">{moreText(others, rest)}</p>}
    </section>
  );
}

function Numbers({ view, effects }: CleanupBodyProps) {
  const { choice, found } = view;
  if (found === null) return null;
  const { changes, repeated, left } = found;
  const kinds = [...new Set(changes.map(({ why }) => why))];
  const { sheetId, productColumn } = choice;
  // Pressing "Show" also selects rows that are not listed.
  const rows = left
    .slice(0, SELECTED_MAX)
    .map((one) => ({ ...one, why: LEFT_WORDS[one.why] ?? one.why }));
  return (
    <ul class="numbers">
      {kinds.map((kind) => (
        <li key={kind}>
          <NumberLine
            count={changes.filter(({ why }) => why === kind).length}
            words={CHANGE_WORDS[kind]}
          />
        </li>
      ))}
      {repeated > 0 && (
        <li>
          <NumberLine count={repeated} words={repeatsKeptText(repeated)} />
        </li>
      )}
      <RowsLine
        name="left"
        words={VIEW_TEXTS.stay}
        tone="caution"
        count={left.length}
        list={{ count: left.length, rows }}
        place={{ sheetId, productColumn }}
        effects={effects}
      />
    </ul>
  );
}

function UndoLine({ view, effects }: CleanupBodyProps) {
  const { undo } = effects.state;
  if (undo === null || undo.sheetId !== view.choice.sheetId) return null;
  return (
    <p class="links">
      <Link
        isDisabled={view.isWriting}
        press={() => void effects.actions.cleanUp(view.choice, undo, true)}
      >
        {undoLabel(undo.changes.length)}
      </Link>
    </p>
  );
}

export function CleanupBody({ view, effects }: CleanupBodyProps) {
  const { found, look, choice } = view;
  const column = look.columns.find((one) => one.column === choice.productColumn);
  const changes = found?.changes ?? [];
  const count = changes.length + (found?.more ?? 0);
  const sure = changes.filter(({ isUnsure }) => !isUnsure);
  const unsure = changes.filter(({ isUnsure }) => isUnsure);
  const title =
    found === null
      ? VIEW_TEXTS.cleanUp
      : count === 0
        ? VIEW_TEXTS.nothingToCleanUp
        : toCleanUpText(count);
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {title}
      </h1>
      {column !== undefined && (
        <p class="caption">
          {columnName(column)} {inSheetText(look.sheet.name)}
        </p>
      )}
      {found === null && view.failure === null && <Skeleton rows={4} />}
      <UndoLine view={view} effects={effects} />
      <Numbers view={view} effects={effects} />
      {found !== null && found.barcodes.length > 0 && (
        <ListBarcodes count={found.barcodes.length} choice={choice} effects={effects} />
      )}
      {found !== null && found.more > 0 && (
        <p class="remark hint">{firstOfManyText(changes.length, found.more)}</p>
      )}
      <Changes
        id="analyze-sure"
        title={VIEW_TEXTS.sureChanges}
        changes={sure}
        rest={VIEW_TEXTS.restCleaned}
        view={view}
        effects={effects}
      />
      <Changes
        id="analyze-unsure"
        title={VIEW_TEXTS.unsureChanges}
        changes={unsure}
        rest={VIEW_TEXTS.restLeft}
        view={view}
        effects={effects}
      />
    </>
  );
}
