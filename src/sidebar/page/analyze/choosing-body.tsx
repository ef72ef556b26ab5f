// Before the check: where the products are, which of them, and what is written where.
import type { BulkChoice, BulkLook, MarketChoice } from '../../bulk-contract';
import type { Hands } from './buttons';
import { columnName, daysFrom, rowsOf } from './choice';
import { Fields } from './fields';
import { PastRunsList } from './past-runs';
import { Picker } from './picker';
import type { ChoosingView } from './state';

interface PartProps {
  readonly look: BulkLook;
  readonly choice: BulkChoice;
  choose(choice: BulkChoice): void;
}

const ONE_MARKET = { US: 'US', UK: 'UK' } as const;

/** Of another column than the one that was found nobody has counted the rows. */
const isCounted = ({ choice }: BulkLook, { productColumn }: BulkChoice) =>
  choice?.productColumn === productColumn;

function marketFrom(value: string): MarketChoice {
  const market = value === 'UK' ? ONE_MARKET.UK : ONE_MARKET.US;
  return value in ONE_MARKET ? { kind: 'one', market } : { kind: 'column', column: Number(value) };
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
        ['US', 'US'],
        ['UK', 'UK'],
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

/** What to do where the list is not where it was looked for. */
function NotFound({ look }: { readonly look: BulkLook }) {
  const { nearest } = look;
  if (look.columns.length === 0) {
    return (
      <p class="lead">
        This sheet is empty. Put ASINs, ISBNs or Amazon links into one column, or go to the sheet
        that has them. Then look again.
      </p>
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
  readonly hands: Hands;
  readonly nowMs: number;
}

export function ChoosingBody({ view, hands, nowMs }: ChoosingBodyProps) {
  const { look, choice } = view;
  const choose = (chosen: BulkChoice) => hands.dispatch({ type: 'chosen', choice: chosen });
  const columns = look.columns.map((one) => [String(one.column), columnName(one)] as const);
  // Where no products were found, a person may still know better.
  const base = choice ?? look.byHand;
  const none = choice === null ? [['', 'Choose a column'] as const] : [];
  return (
    <>
      <h1 id="analyze-title" tabIndex={-1}>
        {look.sheet.name}
      </h1>
      {choice === null && <NotFound look={look} />}
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
