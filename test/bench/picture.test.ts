// The picture of the performance page: of its tables as they stand, each row with its name and its figure.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { drawn, linesOf, pictureOf } from '../../bench/picture';

const DOCS = join(__dirname, '../../docs');
const PAGE = readFileSync(join(DOCS, 'performance.md'), 'utf8');

/** Where each of these marks begins, in the order of the lines. */
const numbersIn = (svg: string, mark: RegExp) =>
  [...svg.matchAll(mark)].map(([, number]) => Number(number));

describe('the picture', () => {
  it('is drawn from the page as it is now: npm run bench -- picture', () => {
    expect(readFileSync(join(DOCS, 'images/performance-laws.svg'), 'utf8')).toBe(pictureOf(PAGE));
  });

  it('has every list of the tables with peers, and nothing else', () => {
    const page = [
      '| case | ratio | peer: one | peer: two |\n|---|---|---|---|',
      '| `a-plain` | 1.46 | 2.5 / 1,000 / 3 | – |\n| `b-burst` | 0.99 | 3 / 0 / 0 | 4 / 0 / 0 |',
      '| `d-cells` | 1 | 1 / 900 / 70 | – |',
      '\n| case | ratio |\n|---|---|\n| `c` | 7 |',
    ].join('\n');
    expect(linesOf(page)).toEqual([
      { name: 'a-plain', addOn: 1.46, best: 1.28, peers: [2.5] },
      { name: 'b-burst', addOn: 0.99, best: 1, peers: [3, 4] },
    ]);
    expect(linesOf(PAGE).length).toBeGreaterThan(20);
  });

  it('has longer bars for larger ratios, and what is off its axis at the edge', () => {
    const line = (addOn: number, peer: number) => ({ name: 'x', addOn, best: 1, peers: [peer] });
    const svg = drawn([line(0.99, 1), line(1.5, 3), line(2, 32), line(3, 80)], 'Title');
    const bars = numbersIn(svg, /class="bar" x="190" y="(?!32)\d+" width="(\d+)"/g);
    expect(bars).toEqual([...bars].sort((a, b) => a - b));
    expect(new Set(bars).size).toBe(4);
    const dots = numbersIn(svg, /class="peer" cx="(\d+)" cy="(?!39)/g);
    expect(dots[0]).toBeLessThan(dots[1] ?? 0);
    expect(dots[3]).toBe(dots[2]);
    expect(svg).toContain('>0.99</text>');
  });
});
