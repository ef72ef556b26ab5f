// What an answer becomes in a row: figures, status, and when they were fetched. Pure.

import type { Answer } from '../analysis/answer';
import { fieldValue } from '../analysis/field-values';
import type { Field } from '../analysis/fields';
import type { Product } from '../analysis/product';
import type { SheetCell } from '../platform/sheet-ports';
import type { Result } from './block';
import type { ColumnKey } from './our-columns';
import { failedText, okText } from './row-status';
import { identityOf, type Row } from './rows';

/**
 * A failure empties the figures, as those of an earlier run might be another product's by now: unless
 * it brings along what the service said of this very product last, which then stands there with its
 * own date.
 *
 * @param news what the row's mark is to say; left out where there is none.
 */
export function resultOf(
  row: Row,
  answer: Answer,
  fields: readonly Field[],
  nowMs: number,
  news?: string,
): Result {
  const product = productOf(row);
  const cells = new Map<ColumnKey, SheetCell>();
  const analysis = answer.ok ? answer.analysis : answer.last;
  for (const field of fields)
    cells.set(field, (analysis && fieldValue(analysis, field, nowMs)) ?? '');
  if (news !== undefined) cells.set('change', news);
  cells.set('at', analysis ? new Date(analysis.fetchedAtMs) : '');
  const isOk = answer.ok && product !== null;
  cells.set(
    'status',
    isOk ? okText(product) : answer.ok ? '' : failedText(answer.failure, product, nowMs),
  );
  return { identity: identityOf(row), cells };
}

/** What empties a row that holds figures although nothing stands in it. */
export function emptied(row: Row, fields: readonly Field[]): Result {
  const keys: readonly ColumnKey[] = [...fields, 'change', 'at', 'status'];
  return { identity: identityOf(row), cells: new Map(keys.map((key) => [key, ''])) };
}

export function productOf({ content }: Pick<Row, 'content'>): Product | null {
  return content.kind === 'product' ? content.product : null;
}
