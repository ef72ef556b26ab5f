// Where a person chooses what is to be analysed: product column, market, rows, fields.

import { isMarket, MARKETS } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { BulkField, BulkInspection, PastRun } from '../../api/runs';
import { Picker } from '../ui/fields';
import { countText, momentText } from '../ui/texts';
import type { Effects } from './actions';
import {
  type ChoosingView,
  CLEAN_UP,
  columnName,
  daysFrom,
  EDIT_FIELDS,
  fieldsText,
  placeText,
  rowsOf,
  withField,
} from './state';

interface RunLineProps {
  readonly run: PastRun;
  readonly nowMs: number;
}

function RunLine({ run, nowMs }: RunLineProps) {
  const { rows, failed, calls, outcome } = run;
  const end = outcome === 'stopped' ? ['stopped'] : [];
  const failures = failed === 0 ? [] : [`${failed.toLocaleString()} failed`];
  const parts = [countText(rows, 'row'), countText(calls, 'call'), ...failures, ...end];
  return (
    <li class="past-run">
      <p>
        {momentText(run.startedAtMs, nowMs)} · {run.sheetName}
      </p>
      <p class="caption">
        {parts.join(' · ')} · by {run.isMine ? 'you' : 'somebody else'}
      </p>
    </li>
  );
}

interface PastRunsListProps {
  readonly hands: Effects;
  readonly nowMs: number;
}

function PastRunsList({ hands, nowMs }: PastRunsListProps) {
  const { actions, state, dispatch } = hands;
  const { past } = state;
  const isOpen = past.at !== 'folded';
  return (
    <section class="past" aria-labelledby="analyze-past">
      <button
        class="link"
        type="button"
        id="analyze-past"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? dispatch({ type: 'pastToggled' }) : void actions.past())}
      >
        Past runs
      </button>
      {past.at === 'asked' && <p class="caption">Looking them up</p>}
      {past.at === 'known' && past.runs.length === 0 && <p class="caption">There are none yet.</p>}
      {past.at === 'known' && (
        <ul>
          {past.runs.map((run) => (
            <RunLine key={run.startedAtMs} run={run} nowMs={nowMs} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface FieldsProps {
  readonly look: BulkInspection;
  readonly choice: Choice;
  readonly isOpen: boolean;
  toggle(): void;
  choose(choice: Choice): void;
}

function Tick({ field, ...rest }: Omit<FieldsProps, 'isOpen' | 'toggle'> & { field: BulkField }) {
  const { look, choice, choose } = rest;
  const { name, title, column } = field;
  const id = `analyze-field-${name}`;
  return (
    <li class="tick">
      <input
        type="checkbox"
        id={id}
        checked={choice.fields.includes(name)}
        aria-describedby={`${id}-place`}
        onChange={() => choose(withField(look, choice, name))}
      />
      <label for={id}>{title}</label>
      <span class="hint" id={`${id}-place`}>
        {column === null ? 'new column' : `column ${column.letter}`}
      </span>
    </li>
  );
}

function Fields(props: FieldsProps) {
  const { look, choice, isOpen, toggle } = props;
  const isNone = choice.fields.length === 0;
  return (
    <div class="pick">
      <span class="name">Write</span>
      <div class="written">
        <p>
          {isNone ? 'No figure is chosen' : fieldsText(look, choice)}{' '}
          {!isNone && <span class="hint">{placeText(look, choice)}</span>}
        </p>
        <button
          class="link"
          type="button"
          id={EDIT_FIELDS}
          aria-expanded={isOpen}
          aria-controls="analyze-fields"
          aria-label={isOpen ? 'Close the list of figures' : 'Edit what is written'}
          onClick={toggle}
        >
          {isOpen ? 'close' : 'edit'}
        </button>
      </div>
      <ul class="ticks" id="analyze-fields" hidden={!isOpen}>
        {look.fields.map((field) => (
          <Tick key={field.name} {...props} field={field} />
        ))}
      </ul>
    </div>
  );
}

interface PartProps {
  readonly look: BulkInspection;
  readonly choice: Choice;
  choose(choice: Choice): void;
}

/** Of another column than the one that was found nobody has counted the rows. */
const isCounted = ({ choice }: BulkInspection, { productColumn }: Choice) =>
  choice?.productColumn === productColumn;

function marketFrom(value: string): Choice['market'] {
  return isMarket(value)
    ? { kind: 'one', market: value }
    : { kind: 'column', column: Number(value) };
}

function MarketPicker({ look, choice, choose }: PartProps) {
  const { market } = choice;
  const columns = look.columns.filter(({ column }) => column !== choice.productColumn);
  return (
    <Picker
      id="analyze-market"
      label="Market"
      value={market.kind === 'one' ? market.market : String(market.column)}
      options={[
        ...MARKETS.map((one) => [one, one] as const),
        ...columns.map((one) => [String(one.column), columnName(one)] as const),
      ]}
      choose={(value) => {
        // Whose figures stand there was said of the market before.
        const { apart: _, ...rest } = choice;
        choose({ ...rest, market: marketFrom(value) });
      }}
    />
  );
}

function RowsPicker({ look, choice, choose }: PartProps) {
  const { rows } = choice;
  const counted = isCounted(look, choice);
  return (
    <>
      <Picker
        id="analyze-rows"
        label="Rows"
        value={rows.kind}
        options={[
          ['all', counted ? `All ${look.listRows.toLocaleString()}` : 'All'],
          ['selection', counted ? `Selected, ${look.selectedRows.toLocaleString()}` : 'Selected'],
          ['visible', 'Visible'],
          ['empty', 'Never analyzed'],
          ['failed', 'Failed before'],
          ['older', 'Older than…'],
        ]}
        choose={(kind) => choose({ ...choice, rows: rowsOf(kind) })}
      />
      {rows.kind === 'older' && (
        <div class="pick">
          <label for="analyze-days">Older than</label>
          <span class="days">
            <input
              id="analyze-days"
              inputMode="numeric"
              value={String(rows.days)}
              aria-describedby="analyze-days-unit"
              onChange={({ currentTarget }) => {
                const days = daysFrom(currentTarget.value, rows.days);
                currentTarget.value = String(days);
                choose({ ...choice, rows: { kind: 'older', days } });
              }}
            />
            <span id="analyze-days-unit">days</span>
          </span>
        </div>
      )}
    </>
  );
}

interface CleanUpLinkProps extends Pick<PartProps, 'look' | 'choice'> {
  readonly hands: Effects;
}

/** Shown where there is something to clean up or to take back; of another column nobody knows. */
function CleanUpLink({ look, choice, hands }: CleanUpLinkProps) {
  const { undo } = hands.state;
  const isKnown = isCounted(look, choice);
  if (isKnown && look.toClean === 0 && undo?.sheetId !== look.sheet.id) return null;
  return (
    <p class="clean-up">
      <button
        class="link"
        type="button"
        id={CLEAN_UP}
        onClick={() => void hands.actions.tidy(choice)}
      >
        Clean up this column
      </button>
      {isKnown && look.toClean > 0 && <span class="hint">{countText(look.toClean, 'cell')}</span>}
    </p>
  );
}

/** What to do where the list is not where it was looked for. */
function NotFound({ look, hands }: { readonly look: BulkInspection; readonly hands: Effects }) {
  const { nearest } = look;
  if (look.columns.length === 0) {
    return (
      <>
        <p class="lead">
          This sheet is empty. Put ASINs, ISBNs or Amazon links into one column, or go to the sheet
          that has them. Then look again.
        </p>
        <p class="links">
          <button class="link" type="button" onClick={hands.toDeals}>
            New deal sheet
          </button>
        </p>
      </>
    );
  }
  return (
    <p class="lead">
      No column of products was found.{' '}
      {nearest !== undefined && nearest.products > 0 && (
        <>
          The nearest is {columnName(nearest)}: {nearest.products.toLocaleString()} of{' '}
          {nearest.sampled.toLocaleString()} cells read as products.{' '}
        </>
      )}
      Choose the column, or go to the sheet that has them and look again.
    </p>
  );
}

interface ChoosingBodyProps {
  readonly view: ChoosingView;
  readonly hands: Effects;
  readonly nowMs: number;
}

export function ChoosingBody({ view, hands, nowMs }: ChoosingBodyProps) {
  const { look, choice } = view;
  const choose = (chosen: Choice) => hands.dispatch({ type: 'chosen', choice: chosen });
  const columns = look.columns.map((one) => [String(one.column), columnName(one)] as const);
  // Where no products were found, a person may still know better.
  const base = choice ?? look.byHand;
  const none = choice === null ? [['', 'Choose a column'] as const] : [];
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {look.sheet.name}
      </h1>
      {choice === null && <NotFound look={look} hands={hands} />}
      {choice !== null && look.listRows === 0 && isCounted(look, choice) && (
        <p class="lead">
          There are no rows yet. Put ASINs, ISBNs or Amazon links below the title, then look again.
        </p>
      )}
      {columns.length > 0 && (
        <div class="picks">
          <Picker
            id="analyze-products"
            label="Products"
            value={String(choice?.productColumn ?? '')}
            options={[...none, ...columns]}
            choose={(value) => {
              if (base === undefined) return;
              const { apart: _, ...rest } = base;
              choose({ ...rest, productColumn: Number(value) });
            }}
          />
          {choice !== null && (
            <>
              <CleanUpLink look={look} choice={choice} hands={hands} />
              <MarketPicker look={look} choice={choice} choose={choose} />
              <RowsPicker look={look} choice={choice} choose={choose} />
              <Fields
                look={look}
                choice={choice}
                isOpen={view.areFieldsOpen}
                toggle={() => hands.dispatch({ type: 'fieldsToggled' })}
                choose={choose}
              />
            </>
          )}
        </div>
      )}
      <PastRunsList hands={hands} nowMs={nowMs} />
    </>
  );
}
