// =ANALYZE(…, "verdict, why"): decided by the tab "Deal rules", as a list whose costs are the service's prices is.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callsByProduct } from '../../playground/api/state';
import { RULES } from '../../src/deal/rules-tab';
import type { RuleKey } from '../../src/product/deal-rules';
import { FIELDS } from '../../src/product/fields';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, changeRules, type DealWorld, dealWorld, decide } from '../doors/deal-list';
import { createWorld, type World } from '../doors/world';

const MUG = 'B0XKT7M4QN';
const MINUTE_MS = 60_000;

const readings = (world: World) =>
  world.host.trace().filter((line) => line.includes('getNamedRanges')).length;

describe('without the tab', () => {
  let world: World;
  beforeEach(async () => {
    world = createWorld();
    await world.connect();
  });
  afterEach(() => world.stop());

  const show = async (fields: unknown, asin: unknown = MUG) =>
    (await world.show('ANALYZE', asin, 'US', fields)).value;

  it('decides by the usual targets', async () => {
    expect(await show('verdict')).toBe('Buy');
    expect(await show('roi, Verdict, WHY')).toEqual([[0.8565, 'Buy', '']]);
    expect(await show([['why', 'verdict']], [['B0NULLS000'], [''], ['nonsense']])).toEqual([
      ['No cost', 'No verdict'],
      [null, null],
      [expect.stringMatching(/^Not analyzed: "nonsense" is not an ASIN/), null],
    ]);
  });

  it('reads cells of the spreadsheet only where a decision is asked for, and once a minute', async () => {
    await show('all');
    await show('profit, agent');
    expect(readings(world)).toBe(0);
    await show('verdict');
    await show('why');
    expect(readings(world)).toBe(1);
    await world.wait(MINUTE_MS);
    await show('why');
    expect(readings(world)).toBe(2);
    expect([...callsByProduct(world.service())]).toEqual([[`US ${MUG}`, 1]]);
  });

  it('has its names in the header row, and near a slip', async () => {
    expect((await world.show('ANALYZE_FIELDS', 'verdict, why')).value).toEqual([
      ['Verdict', 'Why'],
    ]);
    expect(await show([['ROI (%)', 'Fees ($)', 'Profit (UK)', 'Verdict']])).toEqual([
      [0.8565, 11.64, 9.85, 'Buy'],
    ]);
    const { ok, error } = await world.show('ANALYZE', MUG, 'US', 'verdcit');
    expect([ok, error?.message]).toEqual([
      false,
      'Not analyzed: there is no field "verdcit". Did you mean verdict?',
    ]);
  });
});

describe('with the tab', () => {
  let made: DealWorld;
  afterEach(() => made.world.stop());

  const LIST = US_ASINS.slice(0, 300);

  const decisions = async (asins = LIST) => {
    const outcome = await made.world.show(
      'ANALYZE',
      asins.map((asin) => [asin]),
      'US',
      'verdict, why',
    );
    return outcome.value as readonly (readonly unknown[])[];
  };
  const inUse = (row: number) => ({ sheetId: tab(), row, column: 3 });
  const tab = () => made.sheet.grid.sheets().find(({ name }) => name === 'Deal rules')?.id ?? -1;
  const rule = (row: number, value: string | number) =>
    made.sheet.people({ do: 'edit', ...inUse(row), contents: [[value]] });

  it('says what the formulas of a list say whose costs are the buy prices', async () => {
    made = await dealWorld([['ASIN'], ...LIST.map((asin) => [asin])]);
    const { world, sheet } = made;
    await analyze(world, { fields: FIELDS });
    const prices = LIST.map((_, at) => [sheet.byHeader(at + 2)['Buy price'] ?? '']);
    const { lastColumn } = sheet.grid.size(sheet.id);
    sheet.grid.write(sheet.id, 1, lastColumn + 1, [['Cost'], ...prices]);
    granted(await decide(world));
    const wanted = LIST.map((_, at) => {
      const { Verdict, Why } = sheet.decision(at + 2);
      return [Verdict, Why];
    });
    const found = await decisions();
    const answered = wanted.map(([word], at) => (word === '' ? [] : found[at]));
    expect(answered).toEqual(wanted.map((one) => (one[0] === '' ? [] : one)));
    expect([...new Set(answered.flat())]).toEqual(expect.arrayContaining(['Buy', 'Maybe', 'Skip']));
  }, 60_000);

  it('follows its rules within a minute, and names it where they cannot be read', async () => {
    made = await dealWorld([['ASIN'], [MUG]]);
    granted(await changeRules(made.world, {}));
    expect(await decisions([MUG])).toEqual([['Buy', '']]);
    const { world } = made;
    rule(4, 10);
    await world.wait(MINUTE_MS);
    expect(await decisions([MUG])).toEqual([['Maybe', 'Profit under $10']]);
    made.sheet.people({ do: 'edit', ...inUse(1), contents: [['No such supplier']] });
    await world.wait(MINUTE_MS);
    expect(await decisions([MUG])).toEqual([['No verdict', 'Check the tab Deal rules']]);
  });

  it.each(['#1 Ltd', '#Best', '#N'])('is decided by a supplier called %s', async (name) => {
    made = await dealWorld([['ASIN'], [MUG]]);
    granted(await changeRules(made.world, {}));
    rule(3, name);
    made.sheet.people({ do: 'edit', ...inUse(1), contents: [[name]] });
    expect(await decisions([MUG])).toEqual([['Buy', '']]);
  });

  /** The row of a rule in the tab. */
  const rowOf = (key: RuleKey) => 4 + RULES.findIndex((one) => one.key === key);

  it('has tax and prep of the rules on top, and no case and discount', async () => {
    made = await dealWorld([['ASIN'], [MUG]]);
    granted(await changeRules(made.world, {}));
    rule(rowOf('pack'), 10);
    rule(rowOf('discount'), 0.5);
    rule(rowOf('usTax'), 0.2);
    rule(rowOf('prep'), 5.6);
    expect(await decisions([MUG])).toEqual([['Skip', expect.stringContaining('Profit under $3')]]);
  });

  it('owes VAT on a sale in the UK alone', async () => {
    made = await dealWorld([['ASIN'], [MUG]]);
    granted(await changeRules(made.world, {}));
    const { world } = made;
    const uk = async () => {
      await world.wait(MINUTE_MS);
      return (await world.show('ANALYZE', MUG, 'UK', 'verdict, why')).value;
    };
    const notSet = [['Maybe', 'VAT not set']];
    expect(await uk()).toEqual(notSet);
    rule(rowOf('ukScheme'), 'Flat rate');
    rule(rowOf('ukFees'), 'With VAT');
    rule(rowOf('ukCosts'), 'With VAT');
    expect(await uk()).toEqual(notSet);
    rule(rowOf('ukFlatRate'), 0.9);
    expect(await decisions([MUG])).toEqual([['Buy', '']]);
    expect(await uk()).toEqual([['Skip', expect.stringContaining('Profit under £3')]]);
  });
});
