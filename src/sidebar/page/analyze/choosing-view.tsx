// Where a person chooses what to analyze: product column, market, rows and figures.

import { isMarket, MARKETS } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { BulkField, BulkInspection, PastRun } from '../../api/runs';
import { Picker } from '../ui/fields';
import { momentText, UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import { daysFrom, marketColumns, rowsOf, withField } from './choice';
import { BOTH, forBoth, isForBoth } from './pair';
import { type ChoosingView, CLEAN_UP, EDIT_FIELDS, isBothChosen } from './state';
import {
  allRowsText,
  columnName,
  fieldsText,
  figurePlaceText,
  nearestText,
  pastRunText,
  placeText,
  selectedRowsText,
  toCheckText,
  VIEW_TEXTS,
} from './texts';

interface RunLineProps {
  readonly run: PastRun;
  readonly nowMs: number;
}

function RunLine({ run, nowMs }: RunLineProps) {
  return (
    <li class="past-run">
      <p>
        {momentText(run.startedAtMs, nowMs)} · {run.sheetName}
      </p>
      <p class="caption">{pastRunText(run)}</p>
    </li>
  );
}

interface PastRunsListProps {
  readonly effects: Effects;
  readonly nowMs: number;
}

function PastRunsList({ effects, nowMs }: PastRunsListProps) {
  const { actions, state, dispatch } = effects;
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
        {VIEW_TEXTS.pastRuns}
      </button>
      {past.at === 'asked' && <p class="caption">{UI_TEXTS.loading}</p>}
      {past.at === 'known' && past.runs.length === 0 && <p class="caption">{VIEW_TEXTS.noRuns}</p>}
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
  /** Each market has columns of its own, wherever existing ones are. */
  readonly isBoth: boolean;
  toggle(): void;
  choose(choice: Choice): void;
}

function Tick({ field, ...rest }: Omit<FieldsProps, 'isOpen' | 'toggle'> & { field: BulkField }) {
  const { look, choice, choose, isBoth } = rest;
  const { name, title } = field;
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
        {figurePlaceText(field, isBoth)}
      </span>
    </li>
  );
}

function Fields(props: FieldsProps) {
  const { look, choice, isOpen, isBoth, toggle } = props;
  const isNone = choice.fields.length === 0;
  return (
    <div class="pick">
      <span class="name">{VIEW_TEXTS.write}</span>
      <div class="written">
        <p>
          {isNone ? VIEW_TEXTS.noFigures : fieldsText(look, choice)}{' '}
          {!isNone && (
            <span class="hint">{isBoth ? VIEW_TEXTS.forEach : placeText(look, choice)}</span>
          )}
        </p>
        <button
          class="link"
          type="button"
          id={EDIT_FIELDS}
          aria-expanded={isOpen}
          aria-controls="analyze-fields"
          aria-label={isOpen ? VIEW_TEXTS.closeFigures : VIEW_TEXTS.editFigures}
          onClick={toggle}
        >
          {isOpen ? VIEW_TEXTS.close : VIEW_TEXTS.edit}
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

/** Rows are only counted for the product column that was found. */
const isCounted = ({ choice }: BulkInspection, { productColumn }: Choice) =>
  choice?.productColumn === productColumn;

function marketFrom(value: string): Choice['market'] {
  return isMarket(value)
    ? { kind: 'one', market: value }
    : { kind: 'column', column: Number(value) };
}

interface MarketProps extends PartProps {
  /** Whether the list is for both markets. */
  readonly isBoth: boolean;
  chooseBoth(choice: Choice): void;
}

function MarketPicker({ look, choice, choose, isBoth, chooseBoth }: MarketProps) {
  const { market } = choice;
  return (
    <Picker
      id="analyze-market"
      label={VIEW_TEXTS.market}
      value={isBoth ? BOTH : market.kind === 'one' ? market.market : String(market.column)}
      options={[
        ...MARKETS.map((one) => [one, one] as const),
        [BOTH, VIEW_TEXTS.bothMarkets] as const,
        ...marketColumns(look, choice).map((one) => [String(one.column), columnName(one)] as const),
      ]}
      choose={(value) => {
        // The answer about existing figures referred to the previous market.
        const { apart: _, ...rest } = choice;
        if (value === BOTH) chooseBoth(forBoth(rest));
        else choose({ ...rest, market: marketFrom(value) });
      }}
    />
  );
}

function RowsPicker({ look, choice, choose, isBoth }: PartProps & Pick<MarketProps, 'isBoth'>) {
  const { rows } = choice;
  const counted = isCounted(look, choice);
  const kinds = [
    ['all', counted ? allRowsText(look.listRows) : VIEW_TEXTS.all],
    ['selection', counted ? selectedRowsText(look.selectedRows) : VIEW_TEXTS.selected],
    ['visible', VIEW_TEXTS.visible],
    ['empty', VIEW_TEXTS.empty],
    ['failed', VIEW_TEXTS.failedBefore],
    ['older', VIEW_TEXTS.older],
  ] as const;
  return (
    <>
      <Picker
        id="analyze-rows"
        label={VIEW_TEXTS.rows}
        value={rows.kind}
        options={kinds.filter(([kind]) => !isBoth || isForBoth(kind))}
        choose={(kind) => choose({ ...choice, rows: rowsOf(kind) })}
      />
      {rows.kind === 'older' && (
        <div class="pick">
          <label for="analyze-days">{VIEW_TEXTS.olderThan}</label>
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
            <span id="analyze-days-unit">{VIEW_TEXTS.days}</span>
          </span>
        </div>
      )}
    </>
  );
}

interface CleanUpLinkProps extends Pick<PartProps, 'look' | 'choice'> {
  readonly effects: Effects;
}

/**
 * Shown if there is something to clean up or to undo, or if another product column was chosen, for
 * which this is unknown.
 */
function CleanUpLink({ look, choice, effects }: CleanUpLinkProps) {
  const { undo } = effects.state;
  const isKnown = isCounted(look, choice);
  if (isKnown && look.toClean === 0 && undo?.sheetId !== look.sheet.id) return null;
  return (
    <p class="clean-up">
      <button
        class="link"
        type="button"
        id={CLEAN_UP}
        onClick={() => void effects.actions.tidy(choice)}
      >
        {VIEW_TEXTS.cleanUp}
      </button>
      {isKnown && look.toClean > 0 && <span class="hint">{toCheckText(look.toClean)}</span>}
    </p>
  );
}

/** What to do if no list was found. */
function NotFound({ look, effects }: { readonly look: BulkInspection; readonly effects: Effects }) {
  const { nearest } = look;
  if (look.columns.length === 0) {
    return (
      <>
        <p class="lead">{VIEW_TEXTS.emptySheet}</p>
        <p class="links">
          <button class="link" type="button" onClick={effects.toDeals}>
            {VIEW_TEXTS.newDealSheet}
          </button>
        </p>
      </>
    );
  }
  return (
    <p class="lead">
      {VIEW_TEXTS.noColumn}{' '}
      {nearest !== undefined &&
        nearest.products > 0 &&
        `${nearestText(columnName(nearest), nearest.products, nearest.sampled)} `}
      {VIEW_TEXTS.chooseColumn}
    </p>
  );
}

interface ChoosingBodyProps {
  readonly view: ChoosingView;
  readonly effects: Effects;
  readonly nowMs: number;
}

export function ChoosingBody({ view, effects, nowMs }: ChoosingBodyProps) {
  const { look, choice } = view;
  const isBoth = choice !== null && isBothChosen(effects.state, choice);
  const choose = (chosen: Choice) => effects.dispatch({ type: 'chosen', choice: chosen });
  const columns = look.columns.map((one) => [String(one.column), columnName(one)] as const);
  // If no products were found, a person can still choose the column.
  const base = choice ?? look.byHand;
  const none = choice === null ? [['', UI_TEXTS.chooseColumn] as const] : [];
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {look.sheet.name}
      </h1>
      {choice === null && <NotFound look={look} effects={effects} />}
      {choice !== null && look.listRows === 0 && isCounted(look, choice) && (
        <p class="lead">{VIEW_TEXTS.noRows}</p>
      )}
      {columns.length > 0 && (
        <div class="picks">
          <Picker
            id="analyze-products"
            label={VIEW_TEXTS.products}
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
              <CleanUpLink look={look} choice={choice} effects={effects} />
              <MarketPicker
                look={look}
                choice={choice}
                isBoth={isBoth}
                choose={(chosen) =>
                  effects.dispatch({ type: 'chosen', choice: chosen, isForBoth: false })
                }
                chooseBoth={(chosen) =>
                  effects.dispatch({ type: 'chosen', choice: chosen, isForBoth: true })
                }
              />
              <RowsPicker look={look} choice={choice} choose={choose} isBoth={isBoth} />
              <Fields
                look={look}
                choice={choice}
                isOpen={view.areFieldsOpen}
                isBoth={isBoth}
                toggle={() => effects.dispatch({ type: 'fieldsToggled' })}
                choose={choose}
              />
            </>
          )}
        </div>
      )}
      <PastRunsList effects={effects} nowMs={nowMs} />
    </>
  );
}
