// Where a person chooses what to analyze: product column, market, rows and figures.

import { useState } from 'preact/hooks';
import { isMarket, MARKETS } from '../../../product/market';
import type { Choice, ListInView, PastJob } from '../../api/jobs';
import { Fold, Link, Picker } from '../ui/fields';
import { momentText, UI_TEXTS } from '../ui/texts';
import type { Effects } from './actions';
import { daysFrom, marketColumns, marketsIn, rowsOf, withField, withProducts } from './choice';
import { BOTH, forBoth, isForBoth } from './pair';
import { type ChoosingView, EDIT_FIELDS, isBothChosen, type ListAct } from './state';
import {
  allRowsText,
  columnName,
  fieldsText,
  figurePlaceText,
  fillInLabel,
  nearestText,
  pastJobText,
  selectedRowsText,
  VIEW_TEXTS,
} from './texts';

interface PastJobLineProps {
  readonly job: PastJob;
  readonly nowMs: number;
}

function PastJobLine({ job, nowMs }: PastJobLineProps) {
  return (
    <li class="past-run">
      <p>
        {momentText(job.startedAtMs, nowMs)} · {job.sheetName}
      </p>
      <p class="caption">{pastJobText(job)}</p>
    </li>
  );
}

interface PastJobsProps {
  readonly effects: Effects;
  readonly nowMs: number;
}

function PastJobsList({ effects, nowMs }: PastJobsProps) {
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
      {past.at === 'known' && past.jobs.length === 0 && <p class="caption">{VIEW_TEXTS.noRuns}</p>}
      {past.at === 'known' && (
        <ul>
          {past.jobs.map((job) => (
            <PastJobLine key={job.startedAtMs} job={job} nowMs={nowMs} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface FieldsProps {
  readonly look: ListInView;
  readonly choice: Choice;
  readonly isOpen: boolean;
  /** Each market has columns of its own, wherever existing ones are. */
  readonly isBoth: boolean;
  toggle(): void;
  choose(choice: Choice): void;
}

function Tick({
  field,
  ...rest
}: Omit<FieldsProps, 'isOpen' | 'toggle'> & { field: ListInView['fields'][number] }) {
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
      <span class="name">{VIEW_TEXTS.figures}</span>
      <div class="written">
        <p>
          {isNone ? VIEW_TEXTS.noFigures : fieldsText(look, choice)}{' '}
          {!isNone && isBoth && <span class="hint">{VIEW_TEXTS.forEach}</span>}
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
  readonly look: ListInView;
  readonly choice: Choice;
  choose(choice: Choice): void;
}

/** Rows are only counted for the product column that was found. */
const isCounted = ({ choice }: ListInView, { productColumn }: Choice) =>
  choice?.productColumn === productColumn;

const marketFrom = (look: ListInView, value: string): Choice['market'] =>
  isMarket(value) ? { kind: 'one', market: value } : marketsIn(look, Number(value));

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
        if (value === BOTH) chooseBoth(forBoth(choice));
        else choose({ ...choice, market: marketFrom(look, value) });
      }}
    />
  );
}

function RowsPicker({ look, choice, choose, isBoth }: PartProps & Pick<MarketProps, 'isBoth'>) {
  const { rows } = choice;
  const counted = isCounted(look, choice);
  // A paste leaves the whole list selected, which is no choice of rows.
  const isSelectionOffered =
    rows.kind === 'selection' || !counted || look.selectedRows < look.listRows;
  const kinds = [
    ['all', counted ? allRowsText(look.listRows) : VIEW_TEXTS.all],
    ...(isSelectionOffered
      ? [
          [
            'selection',
            counted ? selectedRowsText(look.selectedRows) : VIEW_TEXTS.selected,
          ] as const,
        ]
      : []),
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

interface ListActsProps extends Pick<PartProps, 'look' | 'choice'> {
  readonly view: ChoosingView;
  readonly effects: Effects;
}

/** What can be done with the columns that show the figures, where the list has some. */
function ListActs({ view, look, choice, effects }: ListActsProps) {
  const [isOpen, setOpen] = useState(false);
  const { isKeptAsValues, newRows } = look;
  const isListed = look.fields.some(({ column }) => column !== null);
  const isBusy = view.asked !== null;
  const link = (act: ListAct, label: string) => (
    <Link
      id={`analyze-${act}`}
      isDisabled={isBusy}
      press={() => void effects.actions.change(act, choice)}
    >
      {view.asked === act ? VIEW_TEXTS.working : label}
    </Link>
  );
  if (!isCounted(look, choice)) return null;
  return (
    <>
      {isKeptAsValues && (
        <p class="remark">
          {VIEW_TEXTS.valuesLead} {link('makeLive', VIEW_TEXTS.makeLive)}
        </p>
      )}
      {!isKeptAsValues && newRows > 0 && (
        <p class="links">{link('fillIn', fillInLabel(newRows))}</p>
      )}
      <Fold
        id="analyze-list"
        name={VIEW_TEXTS.thisList}
        isOpen={isOpen}
        toggle={(isNowOpen) => setOpen(isNowOpen)}
      >
        {isListed && !isKeptAsValues && (
          <div class="list-act">
            {link('keepAsValues', VIEW_TEXTS.keepAsValues)}
            <p class="hint">{VIEW_TEXTS.keepAsValuesHint}</p>
          </div>
        )}
        <div class="list-act">
          {link('addCleanAsins', VIEW_TEXTS.addCleanAsins)}
          <p class="hint">{VIEW_TEXTS.addCleanAsinsHint}</p>
        </div>
      </Fold>
    </>
  );
}

/** What to do if no list was found. */
function NotFound({ look, effects }: { readonly look: ListInView; readonly effects: Effects }) {
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
              if (base !== undefined) choose(withProducts(look, base, Number(value)));
            }}
          />
          {choice !== null && (
            <>
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
      {choice !== null && look.listRows > 0 && (
        <ListActs view={view} look={look} choice={choice} effects={effects} />
      )}
      <PastJobsList effects={effects} nowMs={nowMs} />
    </>
  );
}
