// Where the columns of decisions stand: right of a person's own, before the figures, and in view.

import { afterEach, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, type DealWorld, dealWorld, decide, remove } from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const OWN = ['ASIN', 'Title', 'Cost'];
const DECISIONS = ['Verdict', 'Why', 'My profit', 'My ROI', 'Max buy', 'Landed cost'];
const FIGURES = ['Profit', 'ROI', 'Fees', 'Sell price'];
const OURS = ['Profit (service’s buy price)', 'ROI (service’s buy price)', 'Fees', 'Sell price'];

const titles = () => made.sheet.values()[0]?.map(String) ?? [];
const person = (act: object) =>
  made.sheet.people({ sheetId: made.sheet.id, ...act } as unknown as Act);

/** A list that was analyzed, with a formula of the person's at its right. */
async function analyzed(): Promise<void> {
  made = await dealWorld([
    OWN,
    ...US_ASINS.slice(0, 3).map((asin, at) => [asin, `Thing ${at}`, 4 + at]),
  ]);
  await analyze(made.world, { fields: ['profit', 'roi', 'fees', 'sell_price'] });
  expect(titles().slice(0, 7)).toEqual([...OWN, ...FIGURES]);
  const contents = [['Twice'], [{ formula: '=D2*2' }]];
  person({ do: 'edit', row: 1, column: titles().length + 1, contents });
}

const figuresOf = (names: readonly string[]) =>
  names.map((title) => made.sheet.byHeader(2)[title] ?? null);

it('stand before the figures, and take their place again once they were taken back', async () => {
  await analyzed();
  const before = [titles(), figuresOf(FIGURES)];
  for (let round = 0; round < 2; round += 1) {
    expect(granted(await decide(made.world))).toMatchObject({ rows: 3, kept: 0 });
    expect(titles().slice(0, 13)).toEqual([...OWN, ...DECISIONS, ...OURS]);
    const { sheetId, rectangle } = made.sheet.grid.selection();
    expect([sheetId, rectangle]).toMatchObject([made.sheet.id, { row: 1, column: 4 }]);
    expect(figuresOf(OURS)).toEqual(before[1]);
    expect(made.sheet.byHeader(2).Twice).toBe(2 * Number(before[1]?.[0]));
    expect(made.sheet.decision(2).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
    granted(await remove(made.world));
    expect([titles(), figuresOf(FIGURES)]).toEqual(before);
  }
});

it('have texts at the left, whatever the columns beside them look like', async () => {
  await analyzed();
  const { grid, id } = made.sheet;
  const centered = Array<string>(titles().length).fill('horizontal=center');
  grid.setLooks(id, 1, 1, [centered, centered]);
  granted(await decide(made.world));
  const row = { row: 2, column: 1, rowCount: 1, columnCount: titles().length };
  const [looks = []] = grid.looks(id, row);
  const lookOf = (title: string) => looks[titles().indexOf(title)];
  expect(['Verdict', 'Why'].map(lookOf)).toEqual(['horizontal=left', 'horizontal=left']);
  expect(lookOf('Title')).toBe('horizontal=center');
});

it('fill blank columns that an earlier press or a person has left there', async () => {
  await analyzed();
  person({ do: 'insertColumns', first: 4, count: 4 });
  made.sheet.type(3, 5, 'mine');
  granted(await decide(made.world));
  expect(titles().slice(0, 15)).toEqual([...OWN, '', '', ...DECISIONS, ...OURS]);
  expect(made.sheet.values()[2]?.[4]).toBe('mine');
});

it('stand at the right end where a merged title reaches from a column of theirs over the figures', async () => {
  await analyzed();
  person({ do: 'insertRows', first: 1, count: 1 });
  person({ do: 'merge', rectangle: { row: 1, column: 3, rowCount: 1, columnCount: 3 } });
  granted(await decide(made.world));
  const all = made.sheet.values()[1]?.map(String) ?? [];
  expect(all.slice(0, 7)).toEqual([...OWN, ...OURS]);
  expect(all.slice(all.indexOf('Twice') + 1).slice(0, 6)).toEqual(DECISIONS);
});

it('leave a column between a list and its figures that a person has typed into', async () => {
  await analyzed();
  granted(await decide(made.world));
  const why = titles().indexOf('Why') + 1;
  made.sheet.type(3, why, 'ask the supplier');
  granted(await remove(made.world));
  expect(titles().slice(0, 5)).toEqual([...OWN, 'Why', 'Profit']);
  expect(made.sheet.values()[2]?.[3]).toBe('ask the supplier');
});
