// Every argument of a formula, full of anything: read within 50 ms of the processor's time, or refused in them.

import { expect, it } from '@jest/globals';
import { fieldNamesOf, readQuestions, readRefresh } from '../../src/product/arguments';
import { readAsin } from '../../src/product/asin';
import { fieldOfName, nameForm } from '../../src/product/fields';
import { readMarket } from '../../src/product/market';
import { cpuMsOf } from './cpu-time';

/** A cell of Sheets holds so many characters. */
const CELL_CHARS = 50_000;
const MS_MAX = 50;

const NOW = Date.UTC(2026, 0, 5, 9);

const PIECES = [
  ...[
    'x',
    ' ',
    '0',
    '9',
    '-',
    '.',
    ',',
    ';',
    '"',
    "'",
    '&',
    '?',
    '(',
    ')',
    '/',
    '%',
    '=',
    '<',
    '\n',
  ],
  ...['.amazon.', 'amazon.', '/dp/', 'https://', '%2F', '%25', 'B0', 'B0XKT7M4QN', '&url=/dp/'],
  ...[
    '978',
    '9780306406157 ',
    'United ',
    'US,',
    'profit,',
    'roi ',
    '1e9',
    '2026-01-05T',
    '😀',
    'İ',
    // Marks above and below a letter, which have to be put into their order.
    '\u0301\u0316',
  ],
];
const ENDS = ['', 'x', '/x', ' www.amazon.com/x', '"'];
const STARTS = ['', 'https://', 'https://www.amazon.com/dp/'];

/** By its name: what reads a cell. */
const READERS: Readonly<Record<string, (cell: string) => unknown>> = {
  'the product': readAsin,
  'the market': readMarket,
  'the fields': fieldNamesOf,
  'the name of a field': (cell) => fieldOfName(nameForm(cell)),
  refresh: (cell) => readRefresh(cell, NOW),
  'a product beside its market': (cell) => readQuestions([[cell]], [[cell]]),
};

it('no cell keeps the processor for 50 ms, whatever it is full of and whatever reads it', () => {
  const slow: string[] = [];
  let cells = 0;
  for (const start of STARTS)
    for (const piece of PIECES)
      for (const end of ENDS) {
        const room = CELL_CHARS - start.length - end.length;
        const cell = start + piece.repeat(room / piece.length) + end;
        cells += 1;
        for (const [what, read] of Object.entries(READERS)) {
          const ms = cpuMsOf(() => read(cell), MS_MAX);
          if (ms > MS_MAX) slow.push(`${what}: ${start}${piece}…${end}: ${ms.toFixed(0)} ms`);
        }
      }
  const readers = Object.keys(READERS).length;
  process.stdout.write(
    `Inputs: ${cells} full cells, ${readers} arguments: ${slow.length} over ${MS_MAX} ms\n`,
  );
  expect(slow).toEqual([]);
});
