// Charts: described by a script and kept with their sheet, but never drawn here.

import type { Operations, PartOf } from '../../service';
import { featuresOf } from '../../sheet/book-features';
import type { ChartCalls, ChartFacts } from './calls';
import { checkSheet, modelOf } from './host-book';
import { checkSheetEditable } from './host-protection';
import type { Making, RangeHandle } from './making';
import { placeOf } from './making';

export const CHART_TYPES: readonly (keyof typeof GoogleAppsScript.Charts.ChartType & string)[] = [
  ...(['AREA', 'BAR', 'BUBBLE', 'COLUMN', 'COMBO', 'HISTOGRAM', 'LINE'] as const),
  ...(['PIE', 'SCATTER', 'TABLE', 'TIMELINE'] as const),
];

interface ChartHandle {
  readonly getChartId: () => number | null;
}

const NO_CHART: ChartFacts = {
  id: null,
  type: '',
  ranges: [],
  headers: 0,
  position: [],
  options: {},
};

/** The chart members of a sheet, as a script sees them. */
export function chartsOf(making: Making, sheetId: number) {
  const { call } = making;
  const described = new WeakMap<object, ChartFacts>();
  const chartOf = (facts: ChartFacts): object => {
    const chart = making.guard('EmbeddedChart', {
      getChartId: () => facts.id,
      getRanges: () => facts.ranges.map(making.range),
      modify: () => builder(facts),
    } satisfies PartOf<GoogleAppsScript.Spreadsheet.EmbeddedChart>);
    described.set(chart, facts);
    return chart;
  };
  const factsOf = (chart: object): ChartFacts => {
    const facts = described.get(chart);
    if (!facts) throw new Error('A sheet takes charts that it was asked for itself.');
    return facts;
  };
  const builder = (from: ChartFacts): object => {
    let facts = from;
    const change = (part: Partial<ChartFacts>) => {
      facts = { ...facts, ...part };
      return self;
    };
    const self: object = making.guard('EmbeddedChartBuilder', {
      addRange: (range: RangeHandle) => change({ ranges: [...facts.ranges, placeOf(range)] }),
      clearRanges: () => change({ ranges: [] }),
      getRanges: () => facts.ranges.map(making.range),
      setChartType: (type: unknown) => change({ type: String(type) }),
      setNumHeaders: (headers: number) => change({ headers }),
      setPosition: (...position: number[]) => change({ position }),
      setOption: (name: string, value: unknown) =>
        change({ options: { ...facts.options, [name]: value } }),
      build: () => chartOf(facts),
    } satisfies PartOf<GoogleAppsScript.Spreadsheet.EmbeddedChartBuilder>);
    return self;
  };
  return {
    newChart: () => builder(NO_CHART),
    getCharts: () => call('spreadsheet.read.getCharts', sheetId).map(chartOf),
    insertChart: (chart: object) => call('spreadsheet.write.insertChart', sheetId, factsOf(chart)),
    updateChart: (chart: object) => call('spreadsheet.write.updateChart', sheetId, factsOf(chart)),
    removeChart: (chart: ChartHandle) =>
      call('spreadsheet.write.removeChart', sheetId, chart.getChartId() ?? Number.NaN),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

/** By spreadsheet and sheet id, which is never reused. */
const CHARTS = new WeakMap<object, Map<number, readonly ChartFacts[]>>();

/** The charts that a person would see in a sheet. */
export const chartsIn = (model: object, sheetId: number): readonly ChartFacts[] =>
  CHARTS.get(model)?.get(sheetId) ?? [];

/** The host's half of the chart calls. */
export function chartOperations(): Operations<ChartCalls> {
  let ids = 0;
  type Caller = Parameters<typeof modelOf>[0];
  const now = (caller: Caller, sheetId: number) => {
    checkSheet(modelOf(caller), sheetId);
    return chartsIn(modelOf(caller), sheetId);
  };
  const change = (
    caller: Caller,
    sheetId: number,
    next: (before: readonly ChartFacts[]) => readonly ChartFacts[],
  ) => {
    const was = now(caller, sheetId);
    const model = modelOf(caller);
    checkSheetEditable(caller, model, sheetId);
    const charts = CHARTS.get(model) ?? new Map<number, readonly ChartFacts[]>();
    CHARTS.set(model, charts.set(sheetId, next(was)));
    featuresOf(model).setLook(sheetId, {});
  };
  return {
    'spreadsheet.read.getCharts': now,
    'spreadsheet.write.insertChart': (caller, sheetId, chart) =>
      change(caller, sheetId, (before) => {
        ids += 1;
        return [...before, { ...chart, id: ids }];
      }),
    'spreadsheet.write.updateChart': (caller, sheetId, chart) =>
      change(caller, sheetId, (before) =>
        before.map((each) => (each.id === chart.id ? chart : each)),
      ),
    'spreadsheet.write.removeChart': (caller, sheetId, chartId) =>
      change(caller, sheetId, (before) => before.filter(({ id }) => id !== chartId)),
  };
}
