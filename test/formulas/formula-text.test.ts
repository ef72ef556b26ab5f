// Calls inside formulas: found wherever they stand, and nowhere else; the refresh argument set in place.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  askingCalls,
  callsIn,
  literalText,
  refreshOf,
  withRefresh,
} from '../../src/formulas/parse-formula';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const shown = (formula: string) =>
  callsIn(formula).map(({ name, args }) => [name, ...args.map(({ text }) => text)]);

describe('calls in a formula', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['=ANALYZE(A2)', [['ANALYZE', 'A2']]],
    ['=analyze( $A$2 , "US" )', [['ANALYZE', '$A$2', '"US"']]],
    ['=ANALYZE ()', [['ANALYZE']]],
    ['=ANALYZE(A2;"US";"a,b;c")', [['ANALYZE', 'A2', '"US"', '"a,b;c"']]],
    ['=ANALYZE_MAX_BUY(A2;"US";0,3)', [['ANALYZE_MAX_BUY', 'A2', '"US"', '0,3']]],
    ["=ANALYZE('My, sheet (2)'!A2, 'It''s'!B2)", [['ANALYZE', "'My, sheet (2)'!A2", "'It''s'!B2"]]],
    ['=ANALYZE({"a","b";"c","d"},,"x")', [['ANALYZE', '{"a","b";"c","d"}', '', '"x"']]],
    ['=ANALYZE(Stock[[#All],[ASIN]], "US")', [['ANALYZE', 'Stock[[#All],[ASIN]]', '"US"']]],
    [
      '=IFERROR(ANALYZE(TRIM(A2), "say ""no"", please"), ANALYZE(B2))',
      [
        ['TRIM', 'A2'],
        ['ANALYZE', 'TRIM(A2)', '"say ""no"", please"'],
        ['ANALYZE', 'B2'],
        ['IFERROR', 'ANALYZE(TRIM(A2), "say ""no"", please")', 'ANALYZE(B2)'],
      ],
    ],
    ['="ANALYZE(A2)"&ANALYZES+MY.ANALYZE_X', []],
    ['=ANALYZE(A2', []],
    ['=ANALYZE(A2)) ', []],
    ['=ANALYZE("A2)', []],
    ['no formula', []],
  ])('%s', (formula, calls) => {
    expect(shown(formula)).toEqual(calls);
  });

  it('that ask the service are ours by their whole name alone', () => {
    const names = (formula: string) => askingCalls(formula).map(({ name }) => name);
    expect(names('=MY_ANALYZE(A2)+ANALYZER(A2)+X.ANALYZE(A2)+"ANALYZE(A2)"')).toEqual([]);
    expect(names("='ANALYZE(A2)'!A2+2*Analyze(A2)")).toEqual(['ANALYZE']);
    expect(names('=ANALYZE_ASIN(A2)&ANALYZE_FIELDS()')).toEqual([]);
    expect(names('=ANALYZE_WHAT_IF(A2,,9)+ANALYZE_MAX_BUY(A2)')).toHaveLength(2);
  });
});

describe('a formula that is given the refresh cell', () => {
  it.each([
    ['=ANALYZE(A2,"US")', `=ANALYZE(A2,"US",,ANALYZE_REFRESH)`],
    ['=ANALYZE(A2)', `=ANALYZE(A2;;;ANALYZE_REFRESH)`],
    ['=IFERROR(ANALYZE(A2),"")', `=IFERROR(ANALYZE(A2,,,ANALYZE_REFRESH),"")`],
    ['=ANALYZE(A2;"US";"roi";)', `=ANALYZE(A2;"US";"roi";ANALYZE_REFRESH)`],
    ['=ANALYZE_WHAT_IF(A2,,9)', `=ANALYZE_WHAT_IF(A2,,9,,ANALYZE_REFRESH)`],
    ['=ANALYZE_MAX_BUY(A2;;0,3)', `=ANALYZE_MAX_BUY(A2;;0,3;ANALYZE_REFRESH)`],
    [
      '=IF(A2="","",ANALYZE(A2,B2)+ANALYZE(C2, D2))',
      `=IF(A2="","",ANALYZE(A2,B2,,ANALYZE_REFRESH)+ANALYZE(C2, D2,,ANALYZE_REFRESH))`,
    ],
    ['=ANALYZE(A2,,, )', '=ANALYZE(A2,,,ANALYZE_REFRESH)'],
    // Where a comma is a decimal sign, one between two digits says nothing of what parts arguments.
    [
      '=IF(ROUND(B2;1,5)>1;ANALYZE(A2);"")',
      `=IF(ROUND(B2;1,5)>1;ANALYZE(A2;;;ANALYZE_REFRESH);"")`,
    ],
    ['=IF(INT(1,5)>B2;ANALYZE(A2);"")', `=IF(INT(1,5)>B2;ANALYZE(A2;;;ANALYZE_REFRESH);"")`],
    ['=INT(1,5)*ANALYZE(A2)', `=INT(1,5)*ANALYZE(A2;;;ANALYZE_REFRESH)`],
    ['=ROUND(B2,5)*ANALYZE(A2)', `=ROUND(B2,5)*ANALYZE(A2;;;ANALYZE_REFRESH)`],
    ['=IF(B2,5,ANALYZE(A2))', `=IF(B2,5,ANALYZE(A2,,,ANALYZE_REFRESH))`],
    ['=ANALYZE(A2,,,$H$1)', '=ANALYZE(A2,,,$H$1)'],
    ['=ANALYZE(A2,,,"monday")', '=ANALYZE(A2,,,"monday")'],
  ])('in %s', (formula, expected) => {
    expect(withRefresh(formula)).toBe(expected);
  });

  it('is told from what the user put there', () => {
    const named = (formula: string) => askingCalls(formula).map(refreshOf);
    expect(named('=ANALYZE(A2)+ANALYZE(A2,,,)')).toEqual(['none', 'none']);
    expect(named('=ANALYZE(A2,,,ANALYZE_REFRESH)+ANALYZE(A2;;;analyze_refresh)')).toEqual([
      'cell',
      'cell',
    ]);
    expect(named('=ANALYZE(A2,,,H1)+ANALYZE(A2,,,NOW())+ANALYZE(A2,,,"ANALYZE_REFRESH")')).toEqual([
      'own',
      'own',
      'own',
    ]);
  });
});

/** A formula and the calls in it, inner ones first, as it was put together. */
interface Made {
  readonly text: string;
  readonly calls: readonly (readonly string[])[];
}

const plain = (texts: readonly string[]) =>
  fc.constantFrom(...texts).map((text): Made => ({ text, calls: [] }));

function formulas(separator: ',' | ';'): fc.Arbitrary<Made> {
  const blank = fc.constantFrom('', ' ', '\n');
  const name = fc.constantFrom(
    'ANALYZE',
    'Analyze',
    'ANALYZE_MAX_BUY',
    'ANALYZE_ASIN',
    'IFERROR',
    'MY.F',
  );
  const leaf = fc.oneof(
    plain([
      'A2',
      '$B$3',
      "'My, (sheet)'!A2",
      "'It''s; me'!A:A",
      'Sheet2!A2:B',
      '12',
      'TRUE',
      '#REF!',
    ]),
    plain([`{"a"${separator}"b)"}`, 'A2&"x"', '(1+2)', '-A2']),
    fc.string().map((text): Made => ({ text: quoted(text), calls: [] })),
  );
  const { call } = fc.letrec<{ call: Made; argument: Made }>((tie) => ({
    argument: fc.oneof({ maxDepth: 3 }, leaf, tie('call')),
    call: fc
      .tuple(name, fc.array(tie('argument'), { minLength: 1, maxLength: 4 }), blank)
      .map(([own, args, around]) => {
        const texts = args.map(({ text }) => text);
        return {
          text: `${own}(${texts.map((text) => around + text + around).join(separator)})`,
          calls: [...args.flatMap(({ calls }) => calls), [own.toUpperCase(), ...texts]],
        };
      }),
  }));
  return call;
}

describe('whatever a formula is made of', () => {
  const anyFormula = fc.constantFrom<',' | ';'>(',', ';').chain(formulas);

  it('its calls are found with their arguments', () => {
    fc.assert(
      fc.property(anyFormula, ({ text, calls }) => {
        expect(shown(`=${text}`)).toEqual(calls.map((call) => call.map((part) => part.trim())));
      }),
    );
  });

  it('the refresh argument is added once and changes nothing else', () => {
    fc.assert(
      fc.property(anyFormula, ({ text }) => {
        const formula = `=${text}`;
        const once = withRefresh(formula);
        expect(withRefresh(once)).toBe(once);
        const [before, after] = [askingCalls(formula), askingCalls(once)];
        expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
        for (const [i, call] of before.entries()) {
          const own = refreshOf(call) === 'own';
          expect(after[i] && refreshOf(after[i])).toBe(own ? 'own' : 'cell');
        }
      }),
    );
  });
});

describe('a formula with thousands of calls', () => {
  /** Signs that are read through for tokens, or put together anew, while something is done. */
  function workOf(act: () => unknown): number {
    const { matchAll, slice } = String.prototype;
    let signs = 0;
    String.prototype.matchAll = function (this: string, pattern: RegExp) {
      signs += this.length;
      return matchAll.call(this, pattern);
    } as typeof matchAll;
    String.prototype.slice = function (this: string, ...range: [number?, number?]) {
      const part = slice.apply(this, range);
      signs += part.length;
      return part;
    };
    try {
      act();
      return signs;
    } finally {
      Object.assign(String.prototype, { matchAll, slice });
    }
  }

  const sumOf = (calls: number, call: (row: number) => string): string =>
    `=${Array.from({ length: calls }, (_, at) => call(1_000 + at)).join('+')}`;

  it.each<[string, (row: number) => string]>([
    ['with a product alone', (row) => `ANALYZE(A${row})`],
    ['with all arguments', (row) => `ANALYZE(A${row},"US","roi",)`],
    ['within others', (row) => `IFERROR(ANALYZE_MAX_BUY(A${row}),0)`],
  ])('is read and changed in proportion to its length: calls %s', (_how, call) => {
    const [small, large] = [sumOf(500, call), sumOf(4_000, call)];
    const perSign = (formula: string) => workOf(() => withRefresh(formula)) / formula.length;
    expect(perSign(large)).toBeLessThan(1.2 * perSign(small));
    expect(perSign(large)).toBeLessThan(12);
    expect(askingCalls(withRefresh(large)).map(refreshOf)).toEqual(
      Array.from({ length: 4_000 }, () => 'cell'),
    );
  });
});

it('a literal is read as it was meant', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(literalText(quoted(text))).toBe(text)));
  for (const other of ['A2', '"a"&"b"', '1', '"a', '']) expect(literalText(other)).toBeUndefined();
});
