// Converts a formula's arguments to what Sheets passes to a custom function.
import type { Nullable } from '@univerjs/core';
import type { BaseReferenceObject, BaseValueObject } from '@univerjs/preset-sheets-node-core';
import { LOADING } from './cell-call';
import { dates } from './sheet-dates';

/** What Univer's interpreter passes: a reference if the formula has one, otherwise a value. */
export type Variant = BaseReferenceObject | BaseValueObject;

export type CellArguments =
  | { readonly kind: 'ready'; readonly args: readonly unknown[] }
  /** An argument is still being calculated, so this cell is pending as well. */
  | { readonly kind: 'pending' }
  /** An argument is an error, so this cell is one as well and the function is not called. */
  | { readonly kind: 'error'; readonly error: BaseValueObject };

export function readArguments(variants: readonly Variant[]): CellArguments {
  const error = variants.map(single).find((value) => value?.isError());
  if (error) return { kind: 'error', error };
  const args = variants.map(readArgument);
  if (args.some(isLoading)) return { kind: 'pending' };
  return { kind: 'ready', args };
}

function readArgument(variant: Variant): unknown {
  const reference = asReference(variant);
  if (reference === null && !isArray(variant)) {
    // Without a reference, null means an omitted argument: F(1,,2).
    return (variant as BaseValueObject).isNull() ? undefined : plain(variant as BaseValueObject);
  }
  const value = single(variant);
  return value === undefined ? rowsOf(variant).map((row) => row.map(plain)) : plain(value);
}

/** The only value of a cell, of a literal, or of the 1×1 array that an operator makes. */
function single(variant: Variant): BaseValueObject | null | undefined {
  const reference = asReference(variant);
  if (reference === null && !isArray(variant)) return variant as BaseValueObject;
  if (reference !== null && !isOneCell(reference)) return undefined;
  const rows = rowsOf(variant);
  return rows.length === 1 && rows[0]?.length === 1 ? (rows[0][0] ?? null) : undefined;
}

function rowsOf(variant: Variant): readonly (readonly Nullable<BaseValueObject>[])[] {
  const reference = asReference(variant);
  const array = reference === null ? variant : reference.toArrayValueObject(false);
  return (array as BaseValueObject).getArrayValue();
}

function asReference(variant: Variant): BaseReferenceObject | null {
  return variant.isReferenceObject() ? (variant as BaseReferenceObject) : null;
}

function isOneCell(reference: BaseReferenceObject): boolean {
  const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition();
  return startRow === endRow && startColumn === endColumn;
}

function isArray(variant: Variant): boolean {
  return variant.isArray();
}

function plain(value: Nullable<BaseValueObject>): unknown {
  if (!value || value.isNull()) return '';
  const content = value.getValue();
  return typeof content === 'number' && value.isDateFormat() ? dates.toDate(content) : content;
}

function isLoading(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isLoading) : value === LOADING;
}
