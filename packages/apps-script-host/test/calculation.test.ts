// Native formulas in the plain grid: what they come to, when, and what becomes of those that fill cells.
import { describe, expect, it } from '@jest/globals';
import { calculating } from '../src/calculation';
import { parseAddress } from '../src/sheet/a1-notation';
import { featuresOf } from '../src/sheet/book-features';
import type { CellContent } from '../src/sheet/model';
import { createPlainGrid, type PlainGrid } from '../src/sheet/plain-grid';
import { itTellsBlanks } from './contracts/blanks';

const NOW_MS = Date.UTC(2026, 0, 5, 9);

function place(grid: PlainGrid, notation: string) {
  const address = parseAddress(notation);
  if (!address) throw new Error(`${notation} is no address`);
  const { sheetName } = address;
  const tab = grid.sheets().find(({ name }) => sheetName === null || name === sheetName);
  if (!tab) throw new Error(`${notation} is on no sheet`);
  return { sheetId: tab.id, ...address.within(grid.size(tab.id)) };
}

function put(
  grid: PlainGrid,
  notation: string,
  ...rows: readonly (readonly CellContent[] | CellContent)[]
) {
  const { sheetId, row, column } = place(grid, notation);
  const contents = rows.map((cells) =>
    [cells]
      .flat()
      .map((cell) =>
        typeof cell === 'string' && cell.startsWith('=')
          ? { formula: cell }
          : (cell as CellContent),
      ),
  );
  grid.write(sheetId, row, column, contents);
}

const shown = (grid: PlainGrid, notation: string) => {
  const { sheetId, ...rectangle } = place(grid, notation);
  return grid.values(sheetId, rectangle);
};
const one = (grid: PlainGrid, notation: string) => shown(grid, notation)[0]?.[0];

function sheet(quote?: (symbol: string) => number | null) {
  const grid = createPlainGrid({ maxRows: 50 });
  const clock = { nowMs: NOW_MS };
  const live = calculating(grid, {
    nowMs: () => clock.nowMs,
    isCustom: (name) => name === 'ANALYZE',
    ...(quote ? { quote } : {}),
  });
  return { grid, clock, live };
}

describe('a formula that was filled down', () => {
  it.each([
    ['=A1*2', '=A2*2', [2, 4], 40],
    ['=A$1+A1', '=A$1+A2', [2, 3], 21],
    ['=SUM(A1:A2)', '=SUM(A2:A3)', [3, 5], 23],
    ['=SUM(A$1:A1)', '=SUM(A$1:A2)', [1, 3], 21],
    ['=SUM(A1:A)', '=SUM(A2:A)', [6, 5], 23],
    ['=SUM(A$1:A)+A1', '=SUM(A$1:A)+A2', [7, 8], 44],
    ['=two*A1', '=two*A2', [2, 4], 40],
    ['=A1*2', '=A1*2', [2, 2], 2],
  ])('%s, %s', (first, second, comeTo, changed) => {
    const { grid } = sheet();
    put(grid, 'D1', 2);
    featuresOf(grid).setNames([
      { name: 'two', sheetId: 0, rectangle: { row: 1, column: 4, rowCount: 1, columnCount: 1 } },
    ]);
    put(grid, 'A1', 1, 2, 3);
    put(grid, 'B1', first, second);
    expect(shown(grid, 'B1:B2').flat()).toEqual(comeTo);
    put(grid, 'A2', 20);
    expect(one(grid, 'B2')).toBe(changed);
  });
});

itTellsBlanks(() => ({ model: sheet().grid, calculated: async () => {} }));

it('fills cells with empty texts, which are no blanks', () => {
  const { grid } = sheet();
  put(grid, 'A1', '={"";1;IF(FALSE,1,)}');
  put(grid, 'B1', '=ISBLANK(A1)', '=ISBLANK(A2)', '=ISBLANK(A3)', '=COUNTA(A1:A3)');
  expect(shown(grid, 'B1:B4').flat()).toEqual([false, false, true, 2]);
});

describe('what a formula comes to', () => {
  const { grid } = sheet((symbol) => (symbol === 'CURRENCY:USDGBP' ? 0.8 : null));
  put(grid, 'A1', 5, 'abc', 7, '#N/A', true);
  put(grid, 'B1', 'x', 'y', 'x');
  it.each([
    ['=A1+A3*2', 19],
    ['=A1+A2', '#VALUE!'],
    ['="5"+1', 6],
    ['=A9+1', 1],
    ['=A9', ''],
    ['=1/0', '#DIV/0!'],
    ['=NOPE(1)', '#NAME?'],
    ['=A1+', '#ERROR!'],
    ['=#REF!+1', '#REF!'],
    ['=A4+1', '#N/A'],
    ['=A9=""', true],
    ['=A9=0', true],
    ['=A1="5"', false],
    ['=A2>1000', true],
    ['=A5>A2', true],
    ['="ABC"=A2', true],
    ['=0.1+0.2=0.3', true],
    ['=IF(A1>1,"more","less")', 'more'],
    ['=IF(A2,1,2)', '#VALUE!'],
    ['=IFS(A1>9,"a",TRUE,"b")', 'b'],
    ['=IFS(FALSE,1)', '#N/A'],
    ['=AND(A1>1,NOT(A1>9),OR(FALSE,TRUE))', true],
    ['=IFERROR(A4,"none")', 'none'],
    ['=ISNUMBER(A9)', false],
    ['=ISNUMBER("5")', false],
    ['=ISBLANK(A9)', true],
    ['=ISERROR(A4)', true],
    ['=N("x")+N(TRUE)', 1],
    ['=ROUND(1.005,2)', 1.01],
    ['=ROUND(-2.5,0)', -3],
    ['=MIN(A1,A3)+MAX(1,2)', 7],
    ['=TEXTJOIN("; ",TRUE,"a","",IF(A1>9,"no",""),"b")', 'a; b'],
    ['=A1&" and "&A9&"|"', '5 and |'],
    ['=COUNTIF(A1:A9,">5")', 1],
    ['=COUNTIFS(B1:B9,"x",A1:A9,"<6")', 1],
    ['=SUMIF(B1:B3,"x",A1:A3)', 12],
    ['=SUMIFS(A1:A3,B1:B3,"x",A1:A3,">5")', 7],
    ['=SUMPRODUCT((B1:B3="x")*1)', 2],
    ['=INDEX(A1:A3,2)', 'abc'],
    ['=MATCH(7,A1:A3,0)', 3],
    ['=VLOOKUP(7,A1:B3,2,FALSE)', 'x'],
    ['=XLOOKUP("y",B1:B3,A1:A3)', 'abc'],
    ['=LET(x,A1,y,x*2,x+y)', 15],
    ['=COUNT(A2:A)', 1],
    ['=HYPERLINK("https://example.com","link")', 'link'],
    ['=SPARKLINE(A1:A3)', ''],
    ['=SPARKLINE(A1:A3,{"charttype","column";"color","red"})', ''],
    ['=SPARKLINE(A1:A3,{"charttype","cake"})', '#N/A'],
    ['=SPARKLINE(A1:A3,{"colour","red"})', '#N/A'],
    ['=SPARKLINE(A8:A9)', '#N/A'],
    ['=SPARKLINE(A1:A4)', '#N/A'],
    ['=REGEXEXTRACT("dp/B0SAMPLE01?th=1","(B0[0-9A-Z]{8})")', 'B0SAMPLE01'],
    ['=REGEXEXTRACT("abc","[0-9]")', '#N/A'],
    ['=REGEXEXTRACT(A1,"5")', '#VALUE!'],
    ['=REGEXREPLACE("a-b-c","-","+")', 'a+b+c'],
    ['=REGEXREPLACE("B0"&UNICHAR(8203)&"X","[\\p{Cf}]","")', 'B0X'],
    ['=REGEXREPLACE("B0"&UNICHAR(65039)&"X","[\\x{FE00}-\\x{FE0F}]","")', 'B0X'],
    ['=REGEXREPLACE("a1","([a-z])(\\d)","$2$1")', '1a'],
    ['=REGEXREPLACE(A1,"5","")', '#VALUE!'],
    // RE2 knows neither JavaScript's way of naming a character nor its further properties.
    ['=REGEXREPLACE("a","[\\u200B]","")', '#REF!'],
    ['=REGEXREPLACE("a","\\p{Default_Ignorable_Code_Point}","")', '#REF!'],
    ['=REGEXREPLACE("αb","\\p{Greek}","")', 'b'],
    ['=REGEXEXTRACT("a","(a")', '#REF!'],
    ['=IFERROR(REGEXEXTRACT("a","(a"),"bad")', 'bad'],
    ['=FILTER(A1:A3,B1:B2="x")', '#N/A'],
    // What may be left out.
    ['=ROUND(2.5)', 3],
    ['=ROUNDUP(2.1)+ROUNDDOWN(2.9)', 5],
    ['=CEILING(2.1)+FLOOR(2.9)', 5],
    ['=ROUND(2.345,2)', 2.35],
    ['=IFERROR(1/0)', ''],
    ['=COLUMN()+ROW()', 24],
    ['=ISFORMULA(D20)', '#REF!'],
    ['=ISFORMULA(A1)', false],
    // Constants are what they are written as.
    ['=LEN(1.50)', 3],
    ['=1e3', 1000],
    ['=LEN("2026-01-05")', 10],
    ['=ISTEXT("2026-01-05")', true],
    ['="2026-01-05"+1', 46028],
    ['=-"3"', -3],
    ['=2--"3"', 5],
    ['="x(-"&"y"', 'x(-y'],
    // Dates.
    ['=EDATE(DATE(2026,1,31),1)', new Date('2026-02-28T00:00:00Z')],
    ['=EDATE("2026-01-31",-11)', new Date('2025-02-28T00:00:00Z')],
    ['=DATE(2026,1,5)+1', new Date('2026-01-06T00:00:00Z')],
    ['=DATE(2026,1,5)-DATE(2026,1,1)', 4],
    ['=EOMONTH(DATE(2026,1,31),1)', new Date('2026-02-28T00:00:00Z')],
    ['=TO_TEXT(DATE(2026,1,5))', '1/5/2026'],
    ['=INT(1e15)', 1e15],
    // Sheets' own, and none of Excel's.
    ['=ADD(1,2)*DIVIDE(6,2)', 9],
    ['=EQ("a","A")', true],
    ['=LTE(3,2)', false],
    ['=POW(2,3)+UMINUS(1)+UPLUS(2)+UNARY_PERCENT(50)', 9.5],
    ['=TO_TEXT(2.5)&TO_TEXT(TRUE)', '2.5TRUE'],
    ['=JOIN("-",A1:A3,"z")', '5-abc-7-z'],
    ['=COUNTUNIQUE(B1:B3,"z")', 3],
    ['=DOLLAR(-1234.5)', '($1,234.50)'],
    ['=ISO.CEILING(2.1)', 3],
    ['=TEXTSPLIT("a-b","-")', '#NAME?'],
    ['=QUERY(A1:B3,"nonsense")', '#VALUE!'],
    ['=SEQUENCE(1000)', '#REF!'],
    ['=GOOGLEFINANCE("CURRENCY:USDGBP")', 0.8],
    ['=GOOGLEFINANCE("CURRENCY:USDXXX")', '#N/A'],
    ['=FILTER(A1:A3,A1:A3="zzz")', '#N/A'],
    // Sheets takes the cell of the own row there, or fails.
    ['=A1:A3*2', '#VALUE!'],
    ['=SUM(IF(A1:A3>1,1,0))', '#VALUE!'],
    ['=IF(ISNUMBER(A1:A3),1,0)', '#VALUE!'],
  ])('%s is %p', (formula, value) => {
    // A date's format would stay.
    grid.setNumberFormats(0, 20, 4, [['General']]);
    put(grid, 'D20', formula);
    expect(one(grid, 'D20')).toEqual(value);
  });

  it.each([
    ['=ARRAYFORMULA(A1:A3&"!")', [['5!'], ['abc!'], ['7!']]],
    [
      '=FILTER(A1:B3,ISNUMBER(A1:A3))',
      [
        [5, 'x'],
        [7, 'x'],
      ],
    ],
    ['=SORT(A1:A3,1,FALSE)', [['abc'], [7], [5]]],
    ['=SORT(A1:A3,B1:B3,FALSE,A1:A3,FALSE)', [['abc'], [7], [5]]],
    ['=SORT(A1:A3,B1:B3,TRUE,1,TRUE)', [[5], [7], ['abc']]],
    ['=FILTER(A1:A3,ISNUMBER(A1:A3),A1:A3>5)', [[7]]],
    ['=FILTER(A1:B1,A1:B1="x")', [['x']]],
    ['=ARRAYFORMULA(IFERROR(REGEXEXTRACT(B1:B3,"[x]"),"-"))', [['x'], ['-'], ['x']]],
    ['=SPLIT("a; 2; b","; ",FALSE)', [['a', 2, 'b']]],
    ['=SPLIT("a-b,c","-,")', [['a', 'b', 'c']]],
    ['=SPLIT("a,,c",",",TRUE,FALSE)', [['a', '', 'c']]],
    [
      '=ARRAYFORMULA(SPLIT(A1:A3&"-"&B1:B3,"-"))',
      [
        [5, 'x'],
        ['abc', 'y'],
        [7, 'x'],
      ],
    ],
    ['=SEQUENCE(3)', [[1], [2], [3]]],
    ['=SEQUENCE(1,3,10,-2)', [[10, 8, 6]]],
    [
      '=MAKEARRAY(2,2,LAMBDA(r,c,r*c))',
      [
        [1, 2],
        [2, 4],
      ],
    ],
    ['=SORTN(A1:B3,1,0,1,FALSE)', [['abc', 'y']]],
    ['=SORTN(B1:B3,5,2)', [['x'], ['y']]],
    ['=MAP(A1:A3,LAMBDA(v,IF(ISNUMBER(v),v*2,"-")))', [[10], ['-'], [14]]],
    ['=BYROW(A1:B3,LAMBDA(r,COUNT(r)))', [[1], [0], [1]]],
    [
      '={1,2;3,4}',
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('%s fills cells', (formula, rows) => {
    put(grid, 'D30', formula);
    const { row, column, sheetId } = place(grid, 'D30');
    const size = { rowCount: rows.length, columnCount: rows[0]?.length ?? 1 };
    expect(grid.values(sheetId, { row, column, ...size })).toEqual(rows);
    put(grid, 'D30', '');
    expect(grid.values(sheetId, { row, column, ...size }).flat()).toEqual(
      rows.flat().map(() => ''),
    );
  });
});

describe('a sparkline', () => {
  it('is drawn in its cell, of which formulas see an empty text, and follows what it reads', () => {
    const { grid, live } = sheet();
    put(grid, 'A1', 5, 'abc', 7);
    put(grid, 'B1', '=SPARKLINE(A1:A3)', '=B1=""', '=IFERROR(SPARKLINE(A8:A9),"none")');
    expect(live.sparkline(0, 1, 2)).toEqual({ type: 'line', points: [5, 7] });
    expect(one(grid, 'B2')).toBe(true);
    expect([one(grid, 'B3'), live.sparkline(0, 3, 2)]).toEqual(['none', null]);
    put(grid, 'A1', 6, 8);
    expect(live.sparkline(0, 1, 2)?.points).toEqual([6, 8, 7]);
    put(grid, 'B1', 1);
    expect(live.sparkline(0, 1, 2)).toBeNull();
  });

  it('is not drawn where an IF takes something else', () => {
    const { grid, live } = sheet();
    put(grid, 'A1', [1, 5, 7]);
    put(grid, 'D1', '=IF(A1=1,SPARKLINE(B1:C1),"")');
    expect(live.sparkline(0, 1, 4)?.points).toEqual([5, 7]);
    put(grid, 'A1', 2);
    expect(live.sparkline(0, 1, 4)).toBeNull();
  });

  it('takes two columns, or two rows, for where along the line each value stands', () => {
    const { grid, live } = sheet();
    put(grid, 'A1', [1, 10, 3], [2, 20, 4]);
    put(grid, 'A4', '=SPARKLINE(A1:B2)', '=SPARKLINE(A1:C2)', '=SPARKLINE(B1:B2)');
    const points = (row: number) => live.sparkline(0, row, 1)?.points;
    expect([points(4), points(5), points(6)]).toEqual([
      [10, 20],
      [2, 20, 4],
      [10, 20],
    ]);
  });
});

describe('a formula', () => {
  it('is not calculated again for what no formula reads: notes, links, weights and colours', () => {
    let quotes = 0;
    const { grid } = sheet(() => {
      quotes += 1;
      return quotes;
    });
    put(grid, 'A1', 'EURUSD');
    put(grid, 'B1', '=GOOGLEFINANCE(A1)');
    const before = one(grid, 'B1');
    grid.setNotes(0, 1, 1, [['a pair']]);
    grid.setLinks(0, 1, 1, [['https://pairs.example']]);
    grid.setFontWeights(0, 1, 1, [['bold']]);
    grid.setColours(0, 1, 1, 'background', [['#ffffff']]);
    expect(one(grid, 'B1')).toBe(before);
    put(grid, 'A1', 'GBPUSD');
    expect(one(grid, 'B1')).not.toBe(before);
  });

  it('follows what it reads, through others and over sheets', () => {
    const { grid } = sheet();
    const rules = grid.addSheet('Deal rules', 2);
    grid.write(rules, 1, 2, [[3]]);
    put(grid, 'A1', 1, "=A1*'Deal rules'!B1", '=A2+1');
    expect(shown(grid, 'A1:A3')).toEqual([[1], [3], [4]]);
    grid.write(rules, 1, 2, [[10]]);
    expect(one(grid, 'A3')).toBe(11);
    put(grid, 'A1', 2);
    expect(one(grid, 'A3')).toBe(21);
    grid.renameSheet(rules, 'Rules');
    expect(grid.formulas(0, { row: 2, column: 1, rowCount: 1, columnCount: 1 })).toEqual([
      ['=A1*Rules!B1'],
    ]);
    grid.deleteSheet(rules);
    expect(one(grid, 'A3')).toBe('#REF!');
  });

  it('moves with its row when rows are inserted, deleted and sorted', () => {
    const { grid } = sheet();
    put(grid, 'A1', [3, '=A1*10'], [1, '=A2*10'], [2, '=A3*10']);
    grid.sort(0, { row: 1, column: 1, rowCount: 3, columnCount: 2 }, [
      { column: 1, ascending: true },
    ]);
    expect(shown(grid, 'A1:B3')).toEqual([
      [1, 10],
      [2, 20],
      [3, 30],
    ]);
    grid.insertRows(0, 2, 1);
    put(grid, 'A3', 5);
    expect(shown(grid, 'A1:B4')).toEqual([
      [1, 10],
      ['', ''],
      [5, 50],
      [3, 30],
    ]);
    grid.deleteRows(0, 1, 2);
    expect(shown(grid, 'A1:B2')).toEqual([
      [5, 50],
      [3, 30],
    ]);
    put(grid, 'C1', '=SUM(A1:A2)');
    grid.deleteColumns(0, 1, 1);
    expect(one(grid, 'B1')).toBe('#REF!');
  });

  it.each([
    '=(ROW(B4)=ROW())*7',
    '=AND(ROW(B2)=ROW();SHEET(B2)=SHEET();COLUMN(B2)=COLUMN(B1))',
    '=IF(COLUMN(D1)=COLUMN();"mine";"other")',
    '=ROW(B5)=ROW()+1',
    '=1+ROW(B3)=ROW()',
    '=(ROW(B4)=ROW()*1)&ROW(B$6)=ROW()',
    '=ROW(B6)=ROW(B4)',
  ])('says where cells are after rows and columns came, went and moved: %s', (formula) => {
    const { grid, live } = sheet();
    put(grid, 'D4', formula);
    const acts = [
      () => grid.insertRows(0, 3, 2),
      () => grid.insertRows(0, 7, 1),
      () => grid.insertColumns(0, 2, 1),
      () => grid.deleteRows(0, 1, 1),
      () => grid.moveRows(0, 5, 1, 2),
      () => grid.insertColumns(0, 5, 1),
    ];
    for (const act of acts) {
      act();
      const kept = shown(grid, 'A1:J12');
      live.all();
      expect(kept).toEqual(shown(grid, 'A1:J12'));
    }
  });

  it('that only compares places which moved together is not worked out anew', () => {
    const { grid, live } = sheet();
    put(grid, 'D4', '=(ROW(B4)=ROW())*B4', '=ROW()*B4');
    const before = live.work().formulas;
    grid.insertRows(0, 2, 1);
    expect(live.work().formulas - before).toBe(1);
  });

  it('is an error where it waits for itself', () => {
    const { grid } = sheet();
    put(grid, 'A1', '=A2+1', '=A1+1');
    expect(shown(grid, 'A1:A2').flat()).toContain('#REF!');
    put(grid, 'A2', 1);
    expect(one(grid, 'A1')).toBe(2);
  });

  it('with the time is worked out at every change, by the clock of the host', () => {
    const { grid, clock, live } = sheet();
    put(grid, 'A1', '=TODAY()', '=N(A1)+1', '=NOW()');
    expect(one(grid, 'A1')).toEqual(new Date(Date.UTC(2026, 0, 5)));
    expect(one(grid, 'A2')).toBe(46_028);
    clock.nowMs += 86_400_000;
    live.all();
    expect(one(grid, 'A2')).toBe(46_029);
    clock.nowMs += 86_400_000;
    put(grid, 'F9', 'anything');
    expect(one(grid, 'A2')).toBe(46_030);
  });

  it('leaves custom functions to others, and follows what they come to', () => {
    const { grid } = sheet();
    put(grid, 'A1', '=ANALYZE("B0SAMPLE01")', '=A1*2');
    expect(one(grid, 'A2')).toBe(0);
    grid.setComputed(0, 1, 1, 21);
    expect(one(grid, 'A2')).toBe(42);
  });

  it('reads cells by their name, wherever they move', () => {
    const { grid } = sheet();
    put(grid, 'A1', ['Target', 0.3]);
    const features = featuresOf(grid);
    const cell = { row: 1, column: 2, rowCount: 1, columnCount: 1 };
    put(grid, 'D1', '=MIN_ROI*100', '="MIN_ROI"');
    expect(shown(grid, 'D1:D2')).toEqual([['#NAME?'], ['MIN_ROI']]);
    features.setNames([{ name: 'MIN_ROI', sheetId: 0, rectangle: cell }]);
    expect(one(grid, 'D1')).toBe(30);
    grid.insertRows(0, 1, 2);
    expect(one(grid, 'D3')).toBe(30);
    put(grid, 'B3', 0.5);
    expect(one(grid, 'D3')).toBe(50);
    grid.deleteColumns(0, 2, 1);
    expect(one(grid, 'C3')).toBe('#REF!');
  });
});

describe('changes that are made together', () => {
  it('are calculated once, after the last, even where one of them fails', () => {
    let quotes = 0;
    const { grid } = sheet(() => {
      quotes += 1;
      return quotes;
    });
    put(grid, 'B1', '=GOOGLEFINANCE(A1)');
    const before = quotes;
    expect(() =>
      featuresOf(grid).together(() => {
        put(grid, 'A1', 'EURUSD');
        put(grid, 'A1', 'GBPUSD');
        expect(quotes).toBe(before);
        throw new RangeError('The third change fails.');
      }),
    ).toThrow(RangeError);
    expect(quotes).toBe(before + 1);
    expect(one(grid, 'B1')).toBe(quotes);
  });

  it('are followed where rows come among them', () => {
    const { grid } = sheet();
    put(grid, 'A1', 1, '=A1*2');
    featuresOf(grid).together(() => {
      grid.insertRows(0, 1, 1);
      put(grid, 'A2', 5);
    });
    expect(shown(grid, 'A1:A3')).toEqual([[''], [5], [10]]);
  });
});

describe('a formula that fills cells', () => {
  const spilling = () => {
    const { grid } = sheet();
    put(grid, 'A1', 'Cost', 1, 2, 3);
    put(grid, 'B1', '={"Twice";MAP(A2:A,LAMBDA(c,IF(c="","",c*2)))}');
    return grid;
  };

  it('has no formulas beside its own, and what it fills counts as used', () => {
    const grid = spilling();
    expect(shown(grid, 'B1:B5').flat()).toEqual(['Twice', 2, 4, 6, '']);
    expect(grid.formulas(0, { row: 2, column: 2, rowCount: 1, columnCount: 1 })).toEqual([['']]);
    expect(grid.size(0).lastRow).toBe(50);
  });

  it('is #REF! as a whole when somebody types over one of them, until that is gone', () => {
    const grid = spilling();
    put(grid, 'B3', 'mine');
    expect(shown(grid, 'B1:B4').flat()).toEqual(['#REF!', '', 'mine', '']);
    put(grid, 'B3', '');
    expect(shown(grid, 'B1:B4').flat()).toEqual(['Twice', 2, 4, 6]);
  });

  it('follows a sort below it, and rows that come and go', () => {
    const grid = spilling();
    grid.sort(0, { row: 2, column: 1, rowCount: 3, columnCount: 2 }, [
      { column: 1, ascending: false },
    ]);
    expect(shown(grid, 'A1:B4')).toEqual([
      ['Cost', 'Twice'],
      [3, 6],
      [2, 4],
      [1, 2],
    ]);
    grid.deleteRows(0, 3, 1);
    expect(shown(grid, 'B1:B4').flat()).toEqual(['Twice', 6, 2, '']);
    // The range moves down with its first row: the new one is not in it.
    grid.insertRows(0, 2, 1);
    put(grid, 'A2', 9);
    expect(one(grid, 'B2')).not.toBe(18);
  });
});
