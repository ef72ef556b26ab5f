// A term is what something comes to together with the native formula for it, so a sum is stated once and read
// as a number or as a text. Pure.

/** A value, and what it is called in a formula. */
export interface Read<Value> {
  readonly value: Value;
  readonly text: string;
}

export const read = <Value>(value: Value, text = String(value)): Read<Value> => ({ value, text });

export type Term = Read<number>;

/** What only a formula is made of: the cells know its value. */
export const cellTerm = (text: string): Term => read(Number.NaN, text);

export const ONE = read(1);

export const plus = (a: Term, b: Term): Term => read(a.value + b.value, `${a.text}+${b.text}`);

export const minus = (a: Term, b: Term): Term => read(a.value - b.value, `${a.text}-${b.text}`);

export const times = (a: Term, b: Term): Term => read(a.value * b.value, `${a.text}*${b.text}`);

export const over = (a: Term, b: Term): Term => read(a.value / b.value, `${a.text}/${b.text}`);

export const bracketed = ({ value, text }: Term): Term => read(value, `(${text})`);

export const least = (...terms: readonly Term[]): Term =>
  read(
    Math.min(...terms.map(({ value }) => value)),
    `MIN(${terms.map(({ text }) => text).join(';')})`,
  );

export const when = (test: Read<boolean>, then: Term, otherwise: Term): Term =>
  read((test.value ? then : otherwise).value, `IF(${test.text};${then.text};${otherwise.text})`);

export const rounded = ({ value, text }: Term, decimals: number): Term =>
  read(roundTo(value, decimals), `ROUND(${text};${decimals})`);

/**
 * Rounds as ROUND does in a sheet: halves away from zero, and 1.005 counts as a half although no
 * double equals it.
 */
export function roundTo(value: number, decimals: number): number {
  const size = Number(Math.abs(value).toPrecision(15));
  return Math.sign(value) * shifted(Math.round(shifted(size, decimals)), -decimals) || 0;
}

/** Moves the decimal point to the right without the rounding error of a multiplication. */
function shifted(value: number, decimals: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + decimals}`);
}
