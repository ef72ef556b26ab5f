// What a check says of single rows: not readable, repaired, left out. Pure; the page has the words.

import { sentences } from '../analysis/failure';
import type { Repair, Row } from './rows';

/** Of long lists of rows so many are shown. */
const LISTED_MAX = 200;

type Fact =
  | { readonly why: string }
  | { readonly repair: NonNullable<Repair>; readonly asin: string; readonly market: string }
  | { readonly first: number }
  | { readonly isMerged: boolean };

export type RowNote = { readonly row: number; readonly shown: string } & Fact;

export const note = ({ row, shown }: Row, fact: Fact): RowNote => ({ row, shown, ...fact });

export function unreadableNote(row: Row): readonly RowNote[] {
  const { content } = row;
  return content.kind === 'unreadable'
    ? [note(row, { why: sentences(content.failure).message })]
    : [];
}

export const keptNote = (row: Row): readonly RowNote[] =>
  row.isLocked ? [note(row, { isMerged: row.isMerged })] : [];

export function repairNote(row: Row): readonly RowNote[] {
  if (row.content.kind !== 'product' || row.content.repair === null) return [];
  const { repair, product } = row.content;
  return [note(row, { repair, ...product })];
}

export const shortList = (notes: readonly RowNote[]) => ({
  count: notes.length,
  rows: notes.slice(0, LISTED_MAX),
});
