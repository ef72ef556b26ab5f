// What a check says of single rows: not readable, repaired, left out. Pure.

import { sentences } from '../analysis/failure';
import type { Row } from './rows';

/** Of long lists of rows so many are shown. */
const LISTED_MAX = 200;

export interface RowNote {
  readonly row: number;
  readonly shown: string;
  readonly why: string;
}

export const note = ({ row, shown }: Row, why: string): RowNote => ({ row, shown, why });

export function unreadableNote(row: Row): readonly RowNote[] {
  const { content } = row;
  return content.kind === 'unreadable' ? [note(row, sentences(content.failure).message)] : [];
}

export function keptNote(row: Row): readonly RowNote[] {
  const what = row.isMerged ? 'Cells are merged in it' : 'Its status cell holds something else';
  return row.isLocked ? [note(row, `${what}. The row is left out.`)] : [];
}

export function repairNote(row: Row): readonly RowNote[] {
  if (row.content.kind !== 'product' || row.content.repair === null) return [];
  const { repair, product } = row.content;
  const how = {
    'leading-zeros': 'restored leading zeros',
    'isbn-13': 'an ISBN-13',
    link: 'a link',
    'foreign-link': `a link to another market, asked for in ${product.market}`,
    'no-market': `no market in its row, so ${product.market}`,
  }[repair];
  return [note(row, `Read as ${product.asin}: ${how}.`)];
}

export const shortList = (notes: readonly RowNote[]) => ({
  count: notes.length,
  rows: notes.slice(0, LISTED_MAX),
});
