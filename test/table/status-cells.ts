// Status cells as a sheet holds them: a word, and behind it, without a shape, what a run remembers.

const ZERO = 0x200b;

/** Every character as four digits to the base four, each of them one from U+200B to U+200E. */
const digitsOf = (text: string) =>
  [...text]
    .map((one) => one.charCodeAt(0).toString(4).padStart(4, '0'))
    .join('')
    .replace(/\d/g, (digit) => String.fromCharCode(ZERO + Number(digit)));

export const statusCell = (word: string, said: string): string => word + digitsOf(said);

export const okCell = (asin: unknown, market = 'US'): string =>
  statusCell('OK', `OK ${String(asin)} ${market}`);

/** "OK ‹OK B000000000 US›, kept: Profit": what is hidden in a cell, in the open. */
export const openly = (cell: unknown): string =>
  String(cell ?? '').replace(
    /[\u200b-\u200e]+/g,
    (digits) =>
      `‹${(digits.match(/.{1,4}/g) ?? [])
        .map((four) => [...four].map((one) => one.charCodeAt(0) - ZERO).join(''))
        .map((code) => String.fromCharCode(Number.parseInt(code, 4)))
        .join('')}›`,
  );

/** What a run reads in a cell: what is hidden in it, else what stands there. */
export const saidIn = (cell: unknown): string => openly(cell).replace(/^[^‹]*‹([^›]*)›/, '$1');
