// "Create an example sheet": a few rows with a formula, where nothing stands yet.

import { type Failure, fail, isFailure } from '../analysis/failure';
import { DEFAULT_FIELDS } from '../analysis/fields';
import { SAMPLE_ASINS } from '../analysis/samples';
import { connectionIn } from '../analysis/stored-connection';
import { formatOf } from '../bulk/number-formats';
import type { ColumnKey } from '../bulk/our-columns';
import { type Connection, isDemo, readingOf } from '../connection/connection';
import { connectionStore } from '../connection/connection-store';
import type { FilledRange, FreeSheet, Platform } from '../platform/ports';

/** Products that have long been sold; the first is the one that a check asks for. */
const KNOWN_ASINS = ['B07FZ8S74R', 'B08C1W5N87', 'B07XJ8C8F5', 'B00MNV8E0C', 'B08N5WRWNW'];

/** Rows above the products: what this is, and the headers. */
const HEAD_ROWS = 2;

/** What formulas of one argument show. */
const FIELDS = DEFAULT_FIELDS as readonly ColumnKey[];

export function insertSampleRows(platform: Platform, sheet: FreeSheet): FilledRange | Failure {
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const [title, note, asins] = isDemo(connection)
    ? ['Samples', 'Samples: invented products, not real figures', SAMPLE_ASINS]
    : ['Try it', 'Change an ASIN below, or add your own', KNOWN_ASINS];
  // As wide as the figures will be, so that there is room for them.
  const blanks = FIELDS.slice(1).map(() => '');
  const head = ['ASIN', '=ANALYZE_FIELDS()', ...blanks];
  const look = { headRows: HEAD_ROWS, formats: formatsFor(connection) };
  const filled = sheet.fill(title, [[note], head, ...rowsOf(asins)], look);
  if (filled === 'full') return fail({ kind: 'run', why: 'full', what: '' });
  if (filled === 'protected') return fail({ kind: 'protected' });
  return filled;
}

/** One formula answers all rows. It has one argument: what separates two depends on the locale. */
function rowsOf(asins: readonly string[]): readonly (readonly string[])[] {
  const last = HEAD_ROWS + asins.length;
  const formula = `=ANALYZE(A${HEAD_ROWS + 1}:A${last})`;
  return asins.map((asin, i) => (i === 0 ? [asin, formula] : [asin]));
}

/** Formulas give ROI as a fraction once its unit is settled. */
function formatsFor(connection: Connection): readonly string[] {
  const { roiUnit } = readingOf(connection);
  const isFraction = isDemo(connection) || roiUnit !== undefined;
  const market = connection.settings.defaultMarket ?? 'US';
  return FIELDS.map((field) => formatOf(field, market, isFraction));
}
