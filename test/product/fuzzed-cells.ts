// Cells with a product or without one, by the hundred thousand, and what the reader must never make of them.

import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { isbn10Of, isIsbn10, readAsin } from '../../src/product/asin';
import { FORMS } from './asin-forms';

const CODE = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const some = (random: Random, letters: string, count: number) =>
  Array.from({ length: count }, () => random.pick([...letters])).join('');
const digits = (random: Random, count: number) => some(random, '0123456789', count);

const asinOf = (random: Random) => `B0${some(random, CODE, 8)}`;
const isbn13Of = (random: Random) => checked(`978${digits(random, 9)}`);

/** With the check digit of a barcode behind them. */
function checked(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 1 : 3), 0);
  return body + ((10 - (sum % 10)) % 10);
}

interface Cell {
  readonly cell: unknown;
  /** null: there is no product in it. */
  readonly asin: string | null;
}

const WRAPS = ['@', ' @ ', '"@"', '(@)', 'ASIN: @', '\u200B@', "'@", '@,'];
const LINKS = ['dp/@', 'gp/product/@?x=1', 'Mug/dp/@/ref=sr', 'sspa/click?url=%2FMug%2Fdp%2F@%2F'];

const PRODUCTS: readonly ((random: Random) => Cell)[] = [
  (random) => {
    const asin = asinOf(random);
    const written = random.chance(0.5) ? asin : asin.toLowerCase();
    return { asin, cell: random.pick(WRAPS).replace('@', written) };
  },
  (random) => {
    const asin = asinOf(random);
    const host = random.pick(['www.amazon.com', 'amazon.co.uk', 'm.amazon.com']);
    const scheme = random.pick(['https://', '', 'see https://']);
    return { asin, cell: `${scheme}${host}/${random.pick(LINKS).replace('@', asin)}` };
  },
  (random) => {
    const isbn = isbn13Of(random);
    return { asin: isbn10Of(isbn), cell: random.pick([isbn, Number(isbn), `ISBN ${isbn}`]) };
  },
  (random) => {
    const asin = isbn10Of(isbn13Of(random)) ?? '';
    const isLost = /^0{1,3}[1-9]\d+$/.test(asin);
    return { asin, cell: isLost && random.chance(0.7) ? Number(asin) : asin };
  },
];

const SPOILT: readonly ((random: Random) => string)[] = [
  (random) => asinOf(random).slice(0, -1),
  (random) => `${asinOf(random)}${some(random, CODE, 1)}`,
  (random) => `${asinOf(random)}, ${asinOf(random)}`,
  (random) => `https://amazon.${random.pick(['de', 'fr', 'ca', 'in'])}/dp/${asinOf(random)}`,
];

/** What stands in such columns beside products: a reading of it has to be marked. */
const OTHERS: readonly ((random: Random) => unknown)[] = [
  ...SPOILT,
  (random) => checked(digits(random, random.pick([7, 11, 12, 13]))),
  (random) => Number(checked(digits(random, random.pick([9, 10, 11, 12])))),
  (random) => `X00${some(random, CODE, 7)}`,
  (random) => some(random, CODE, random.integer(1, 14)),
  (random) => `${some(random, CODE, random.integer(2, 5))}-${digits(random, random.integer(2, 8))}`,
  (random) => `${digits(random, 3)}-${digits(random, 3)}-${digits(random, 4)}`,
  (random) => `${digits(random, 3)}-${digits(random, 4)}`,
  (random) => `+1 ${digits(random, 3)} ${digits(random, 3)} ${digits(random, 4)}`,
  (random) => `Box ${digits(random, random.integer(1, 9))}`,
  (random) => `$${digits(random, 2)}.${digits(random, 2)}`,
  (random) => `20${digits(random, 2)}-0${digits(random, 1)}-1${digits(random, 1)}`,
  (random) => some(random, `${CODE}abc -/.:#?=&%"'\u00A0`, random.integer(0, 40)),
];

/** A cell with one piece of it gone, doubled or another. */
function bitten(random: Random, text: string): string {
  const at = random.integer(0, Math.max(0, text.length - 1));
  const piece = random.pick(['', text.slice(at, at + 3), some(random, ` ${CODE}-/`, 1)]);
  return text.slice(0, at) + piece + text.slice(at + 1);
}

/** By themselves nobody can tell them from products: the usual form, and ten digits that fit. */
const isLikeAProduct = (cell: unknown) => {
  const text = String(cell)
    .normalize('NFKC')
    .replace(/[\u200B-\u200F\uFEFF]/g, '')
    .toUpperCase()
    .replace(/^\W*(ASIN|ISBN(-1[03])?)[\s:=#]+/, '')
    .replace(/\.0$/, '')
    .replace(/^\W+|\W+$/g, '');
  const groups = text.split(/[^0-9A-Z]+/);
  const code = groups.join('');
  if (/^B0[0-9A-Z]{8}$/.test(code)) return true;
  return isIsbn10(code) && (groups.length === 1 || groups.length === 4 || code.endsWith('X'));
};

export interface FuzzedCells {
  readonly cells: number;
  readonly read: number;
  readonly marked: number;
  /** What was read as another product, or as one without a mark. */
  readonly wrong: readonly string[];
}

/** The same cells for the same numbers. */
export function fuzzCells(cells: number, from = 0): FuzzedCells {
  let [read, marked] = [0, 0];
  const wrong: string[] = [];
  for (let number = from; number < from + cells; number++) {
    const random = createRandom(seedFrom('cell', number));
    const kind = random.integer(0, 2);
    const { cell, asin }: Cell =
      kind === 0
        ? random.pick(PRODUCTS)(random)
        : kind === 1
          ? { cell: random.pick(OTHERS)(random), asin: null }
          : { cell: bitten(random, String(random.pick(FORMS).cell)), asin: null };
    const reading = readAsin(cell);
    if (!('asin' in reading)) {
      if (kind === 0) wrong.push(`cell ${number}: ${String(cell)} is not read as ${asin}`);
      continue;
    }
    read += 1;
    if (reading.repair !== null) marked += 1;
    const isRight = asin === reading.asin || (asin === null && isLikeAProduct(cell));
    // Of two codes in a text one is taken by nobody's guess: that is wrong even with a mark.
    if (!isRight && (reading.repair === null || kind === 0))
      wrong.push(`cell ${number}: ${String(cell)} is read as ${reading.asin}`);
  }
  return { cells, read, marked, wrong };
}
