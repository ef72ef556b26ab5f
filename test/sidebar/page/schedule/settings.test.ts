// A schedule's form: settings come back as they went in, and what is wrong is told.
import { describe, expect, it } from '@jest/globals';
import { LIST_SETTINGS } from '../../../../playground/sidebar-states/schedule-replies';
import type { ScheduleSettings } from '../../../../src/schedules/schedule';
import {
  formOf,
  problemsOf,
  rulesText,
  type ScheduleForm,
  settingsOf,
} from '../../../../src/sidebar/page/schedule/settings';
import {
  againSettings,
  FORMULAS_EVERY_MORNING,
} from '../../../../src/sidebar/page/ui/default-schedule';

const HOURS_PROBLEM = 'Enter whole hours up to 8,760, or 0.5.';
const CALLS_PROBLEM = 'Enter a whole number of calls, or leave it empty.';
const QUIET_PROBLEM = 'Choose an end that differs from the start.';

const [ROI, PROFIT] = ['fell-under-roi', 'fell-under-profit'] as const;
const FORM = formOf('mi8x3k2a', LIST_SETTINGS);
const tick = (bound: string, isOn = true) => ({ isOn, bound });

const SETTINGS: readonly (readonly [string, ScheduleSettings])[] = [
  ['a list', LIST_SETTINGS],
  ['formulas', FORMULAS_EVERY_MORNING],
  ['every hour', { ...LIST_SETTINGS, recurrence: { kind: 'hourly' } }],
  ['Sundays', { ...LIST_SETTINGS, recurrence: { kind: 'weekly', hour: 0, weekday: 0 } }],
  [
    'the last of the month',
    { ...LIST_SETTINGS, recurrence: { kind: 'monthly', hour: 23, day: 31 } },
  ],
  ['limits', { ...LIST_SETTINGS, callsPerHour: 200, quiet: { fromHour: 0, toHour: 5 } }],
  [
    'good news',
    {
      ...LIST_SETTINGS,
      rules: [
        { kind: 'became-eligible' },
        { kind: 'rose-over', field: 'roi', bound: 0.35 },
        { kind: 'rose-over', field: 'profit', bound: 4.5 },
      ],
    },
  ],
  [
    'rules that have no tick',
    {
      ...LIST_SETTINGS,
      rules: [
        { kind: 'fell-under', field: 'roi', bound: 0.29 },
        { kind: 'doubled', field: 'rank_drops_30d' },
        { kind: 'rose-over', field: 'fees', bound: 12.5 },
        { kind: 'doubled', field: 'fees' },
      ],
    },
  ],
];

describe('settings', () => {
  it.each(SETTINGS)('of %s come back as they went in', (_name, settings) => {
    const form = formOf('a', settings);
    expect(problemsOf(form)).toEqual({});
    expect(settingsOf(form)).toEqual(settings);
  });

  it('take what was typed, a comma for a point as well', () => {
    const { ticks } = FORM;
    const typed: ScheduleForm = {
      ...FORM,
      maxAge: ' 48 ',
      calls: '200',
      ticks: { ...ticks, [PROFIT]: tick('2,5'), [ROI]: tick('20', false) },
    };
    expect(settingsOf({ ...typed, maxAge: '0,5' }).maxAgeHours).toBe(0.5);
    expect(settingsOf(typed)).toMatchObject({
      maxAgeHours: 48,
      callsPerHour: 200,
      rules: [{ kind: 'no-longer-eligible' }, { kind: 'fell-under', field: 'profit', bound: 2.5 }],
    });
  });

  it('keep a bound as a person typed it: 29 %, not 28.999999999999996 %', () => {
    const rules = [{ kind: 'fell-under', field: 'roi', bound: 0.29 }] as const;
    const { ticks } = formOf('a', { ...LIST_SETTINGS, rules });
    expect(ticks[ROI]).toEqual(tick('29'));
    expect(rulesText(rules)).toBe('ROI falls under 29%');
  });
});

describe('a bound', () => {
  it.each([
    ['20%', '$3'],
    ['20 %', '£ 3'],
    [' 20 ', '3 €'],
  ])('may have its sign: %j, %j', (roi, profit) => {
    const ticks = {
      ...FORM.ticks,
      'no-longer-eligible': tick(''),
      [ROI]: tick(roi),
      [PROFIT]: tick(profit),
    };
    expect(problemsOf({ ...FORM, ticks })).toEqual({});
    expect(settingsOf({ ...FORM, ticks }).rules.slice(1)).toEqual([
      { kind: 'fell-under', field: 'roi', bound: 0.2 },
      { kind: 'fell-under', field: 'profit', bound: 3 },
    ]);
    expect(rulesText(settingsOf({ ...FORM, ticks }).rules)).toBe(
      'No longer eligible · ROI falls under 20% · Profit falls under 3',
    );
  });
});

describe('a bound in thousands', () => {
  it.each([
    ['1,000', 1_000],
    ['1,234.5', 1_234.5],
    ['2,5', 2.5],
    ['1000', 1_000],
  ])('%s is read as %d', (typed, bound) => {
    const ticks = { ...FORM.ticks, [PROFIT]: tick(typed) };
    expect(settingsOf({ ...FORM, ticks }).rules).toContainEqual({
      kind: 'fell-under',
      field: 'profit',
      bound,
    });
  });
});

describe('a form', () => {
  it.each<readonly [Partial<ScheduleForm>, string, string]>([
    [{ maxAge: '' }, 'maxAge', HOURS_PROBLEM],
    [{ maxAge: '0' }, 'maxAge', HOURS_PROBLEM],
    [{ maxAge: '2.5' }, 'maxAge', HOURS_PROBLEM],
    [{ maxAge: '0.4' }, 'maxAge', HOURS_PROBLEM],
    [{ maxAge: '8761' }, 'maxAge', HOURS_PROBLEM],
    [{ calls: 'many' }, 'calls', CALLS_PROBLEM],
    [{ calls: '0' }, 'calls', CALLS_PROBLEM],
    [{ isQuiet: true, fromHour: 6, toHour: 6 }, 'fromHour', QUIET_PROBLEM],
    [{ ticks: { ...FORM.ticks, [ROI]: tick('much') } }, ROI, 'Enter a percentage, such as 20.'],
    [{ ticks: { ...FORM.ticks, [ROI]: tick('$20') } }, ROI, 'Enter a percentage, such as 20.'],
    [{ ticks: { ...FORM.ticks, [PROFIT]: tick(' ') } }, PROFIT, 'Enter an amount, such as 3.'],
    [{ ticks: { ...FORM.ticks, [PROFIT]: tick('20%') } }, PROFIT, 'Enter an amount, such as 3.'],
  ])('with %j is wrong in %s: %s', (change, field, sentence) => {
    expect(problemsOf({ ...FORM, ...change })).toEqual({ [field]: sentence });
  });

  it.each<Partial<ScheduleForm>>([
    { maxAge: '1' },
    { maxAge: '0.5' },
    { maxAge: '8760' },
    { calls: ' ' },
    { isQuiet: false, fromHour: 6, toHour: 6 },
    { ticks: { ...FORM.ticks, [ROI]: tick('much', false), [PROFIT]: tick('-1') } },
  ])('with %j is not', (change) => {
    expect(problemsOf({ ...FORM, ...change })).toEqual({});
  });
});

it('a schedule made of a job takes its list and a rhythm', () => {
  const list = { sheetId: 7, listId: '1' };
  const { task, recurrence, maxAgeHours } = againSettings(list, 'daily');
  expect(task).toEqual({ ...list, kind: 'list', rows: 'all' });
  expect([recurrence, maxAgeHours]).toEqual([{ kind: 'daily', hour: 6 }, 20]);
  expect(againSettings(list, 'weekly').recurrence).toMatchObject({
    kind: 'weekly',
    weekday: 1,
  });
});
