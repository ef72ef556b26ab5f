// The scenarios of the sweep of temporary faults: every door of the add-on in a state in which it
// has something to do.

import type { Execution } from 'apps-script-host/host-contract';
import type * as entry from '../../../src/entry';
import type { RpcMethod } from '../../../src/sidebar/api/methods';
import {
  API_KEY,
  ASINS,
  BASE_URL,
  EDITOR,
  type FaultWorld,
  LISTED,
  OWNER,
  QUOTA,
  type Reply,
} from './fault-world';

export interface Scenario {
  readonly name: string;
  /** Everything before, without faults. Returns the execution in which services fail. */
  readonly prepare: (world: FaultWorld) => Execution;
  /**
   * What follows, in the world without faults as well, once the execution was repeated until it
   * succeeded.
   */
  readonly after?: (world: FaultWorld) => void;
  /** Set if the key is so slow that a moment decides which rows wait; those rows say so. */
  readonly waits?: true;
  /**
   * Set if repeating it asks the service again whatever it has answered, because that is its
   * purpose.
   */
  readonly asksAnew?: true;
  /**
   * Set if a start that failed twice replaces the run that it should repeat, so that another run
   * follows.
   */
  readonly startsAnew?: true;
}

type Function = keyof typeof entry;

/**
 * At least one scenario for every method of the page; a method without one fails the type check and
 * the sweep.
 */
type OfMethods = { readonly [M in RpcMethod]: readonly Omit<Scenario, 'name'>[] };

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const SLICE_MS = 300_000;

const DRAFT = { baseUrl: BASE_URL, apiKey: API_KEY, quota: QUOTA, sharing: 'spreadsheet' };

function granted({ value, failure }: Reply): Readonly<Record<string, unknown>> {
  if (value === undefined) throw new Error(`It failed: ${JSON.stringify(failure)}`);
  return value;
}

const rpc = (method: RpcMethod, payload: object = {}, userEmail = OWNER): Execution => ({
  ...{ functionName: 'rpc', args: [method, payload], door: 'sidebar', userEmail },
  documentId: 'sheet-1',
});
const cell = (functionName: Function, ...args: readonly unknown[]): Execution => ({
  ...{ functionName, args, door: 'cell' },
});
const menu = (functionName: Function): Execution => ({ functionName, args: [], door: 'menu' });
const firing: Execution = { functionName: 'onSchedule', args: [], door: 'clock' };

const connect = (world: FaultWorld, draft: object = {}) =>
  granted(world.rpc('connection.save', { ...DRAFT, ...draft }));

const ask = (world: FaultWorld, ...asins: readonly string[]) => {
  for (const asin of asins) world.cell('ANALYZE', asin, 'US', 'profit');
};

const choiceOf = (world: FaultWorld) => granted(world.rpc('list.look')).choice as object;

interface JobAtWork {
  readonly status: { readonly jobId: string; readonly state: string };
  readonly queue: readonly string[];
}

const atWork = (value: unknown) => value as JobAtWork;

/** A job that was started but not worked on. */
function started(world: FaultWorld): JobAtWork {
  connect(world);
  return atWork(granted(world.rpc('jobs.start', choiceOf(world))));
}

/** The answers of a job that were asked but not recorded. */
function askedJob(world: FaultWorld) {
  const { status, queue } = started(world);
  const { jobId } = status;
  const asked = world.rpc('jobs.ask', { jobId, products: queue, maxMs: SLICE_MS });
  const { answers, calls } = granted(asked);
  return { jobId, answers, calls };
}

function finished(world: FaultWorld): string {
  const asked = askedJob(world);
  granted(world.rpc('jobs.record', asked));
  return asked.jobId;
}

/** A job whose only failure is a product that the service does not know. */
function failing(world: FaultWorld): string {
  world.grid.write(0, 3, 2, [['B000000000']]);
  return finished(world);
}

/** Acts like the page with a person in front of it, until the list is done. */
function drive(world: FaultWorld): void {
  for (let tries = 0; tries < 6; tries += 1) {
    const look = granted(world.rpc('list.look'));
    const { jobId } = (look.job ?? {}) as { readonly jobId?: string };
    const begun =
      jobId === undefined
        ? world.rpc('jobs.start', look.choice as object)
        : world.rpc('jobs.setState', { jobId, state: 'running' });
    if (begun.value === undefined) {
      world.host.wait(20_000);
      continue;
    }
    const { status, queue } = atWork(begun.value);
    if (status.state === 'done') return;
    const asked = world.rpc('jobs.ask', {
      ...{ jobId: status.jobId, products: queue, maxMs: SLICE_MS },
    }).value;
    if (asked === undefined) continue;
    const { answers, calls } = asked;
    world.rpc('jobs.record', { jobId: status.jobId, answers, calls });
  }
}

/**
 * A schedule is saved even if Google fails twice to create the trigger; the page says so and offers
 * to create it.
 */
const mendClock = (world: FaultWorld) => {
  world.rpc('schedule.mend');
};

const settingsOf = (world: FaultWorld) =>
  granted(world.rpc('schedule.look')).suggestion as { readonly task: object };

/** One hour after a world begins. */
const DAILY = { recurrence: { kind: 'daily', hour: 10 }, maxAgeHours: 20 };
const RULES = { rules: [{ kind: 'rose-over', field: 'profit', bound: -1_000 }] };

function scheduled(world: FaultWorld, more: object = DAILY): void {
  connect(world);
  const settings = { ...settingsOf(world), ...more };
  granted(world.rpc('schedule.save', { id: 's1', settings }));
}

const FORMULAS = { ...DAILY, task: { kind: 'formulas' } };

/** Whatever the clock has left over is done by its next firings. */
const strikeLater = (world: FaultWorld) => {
  world.host.stores.triggers.enable(OWNER);
  for (let hours = 0; hours < 3; hours += 1) world.host.wait(HOUR_MS);
};

/** The sweep's own execution is the firing; the trigger itself would fire at other moments. */
function withoutClock(world: FaultWorld, waitMs = HOUR_MS): Execution {
  world.host.stores.triggers.disable(OWNER);
  world.host.wait(waitMs);
  return firing;
}

const look = (method: RpcMethod, before: (world: FaultWorld) => unknown, payload = {}) => [
  {
    prepare: (world: FaultWorld) => {
      before(world);
      return rpc(method, payload);
    },
  },
];

/** Waiting products: a key that allows one call a minute leaves the rest of a list waiting. */
function waiting(world: FaultWorld): void {
  connect(world, { quota: { calls: 1, perSeconds: 60 } });
  const list = ASINS.slice(0, 4).map((asin) => [asin]);
  world.cell('ANALYZE', list, 'US', 'profit');
  connect(world);
  world.host.wait(70_000);
}

const DEAL_LOOK = { list: null, market: null, cost: null, hasFigures: false };

/** A list as the Deals page names it after a look. */
function dealList(world: FaultWorld) {
  const { look: seen } = granted(world.rpc('deals.look', DEAL_LOOK));
  const { sheet, listId } = seen as { readonly sheet: { readonly id: number }; listId: string };
  return { sheetId: sheet.id, listId };
}

/** The products' own column, which holds no numbers. */
const COSTS = { costs: { cost: { column: 1, title: 'ASIN' } } };
const TAB = {
  ...{ title: 'Deal rules', cells: [['Pack', 1]], widths: [100], frozenRows: 1 },
  formulas: [{ at: 'B1', formula: '=1+1' }],
  names: [{ name: 'DEAL_PACK', at: 'B1' }],
  styles: [{ at: 'A1:B1', isBold: true, background: '#f1f3f4', format: '0' }],
};
const SUMMARY = {
  ...{ title: 'Summary', cells: [['Verdict', 'Products']], widths: [100], frozenRows: 1 },
  formulas: [{ at: 'B2', formula: '=1+1' }],
  names: [{ name: 'SUMMARY', at: 'A1' }],
  ...{ styles: [], replaces: true },
  charts: [{ type: 'COLUMN', title: 'Verdicts', of: 'A1:B2', row: 3, column: 4 }],
};
const decided = (world: FaultWorld) => {
  finished(world);
  return granted(world.rpc('deals.decide', { ...dealList(world), ...COSTS }));
};
const onList = (
  method: RpcMethod,
  before: (world: FaultWorld) => unknown,
  payload: object,
): OfMethods[RpcMethod] => [
  {
    prepare: (world) => {
      before(world);
      return rpc(method, { ...dealList(world), ...payload });
    },
  },
];

const METHODS: OfMethods = {
  'connection.save': [
    { prepare: () => rpc('connection.save', DRAFT) },
    {
      prepare: (world) => {
        connect(world, { sharing: 'me', settings: { roiUnit: 'fraction' } });
        return rpc('connection.save', { ...DRAFT, apiKey: '', quota: null });
      },
    },
  ],
  'connection.status': look('connection.status', connect),
  'connection.check': [
    {
      prepare: (world) => {
        connect(world);
        return rpc('connection.check', { asin: ASINS[0] });
      },
    },
    {
      prepare: (world) => {
        connect(world, { quota: null });
        return rpc('connection.check', { asin: ASINS[0], tryMarkets: true });
      },
      asksAnew: true,
    },
  ],
  'connection.relearn': look('connection.relearn', (world) => connect(world, { quota: null })),
  'connection.useHere': look('connection.useHere', (world) => connect(world)),
  'connection.share': look('connection.share', (world) => connect(world, { sharing: 'me' }), {
    sharing: 'spreadsheet',
    cellsPerDay: 50,
  }),
  'demo.start': look('demo.start', () => {}),
  'demo.stop': look('demo.stop', (world) => world.rpc('demo.start')),
  'connection.export': look('connection.export', connect),
  'connection.import': [
    {
      prepare: (world) => {
        connect(world, { settings: { roiUnit: 'fraction' } });
        const { text } = granted(world.rpc('connection.export'));
        connect(world, { settings: {} });
        return rpc('connection.import', { text });
      },
    },
  ],
  'samples.insert': [
    ...look('samples.insert', connect),
    ...look('samples.insert', (world) => {
      connect(world);
      const sheetId = world.grid.addSheet('Empty', 3);
      world.grid.select({ sheetId, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
    }),
  ],
  'connection.clear': look('connection.clear', connect),
  'formulas.refresh': [
    {
      prepare: (world) => {
        connect(world);
        world.grid.write(0, 2, 5, [[{ formula: '=ANALYZE(A2:A4, "US", "profit")' }]]);
        return rpc('formulas.refresh', { maxMs: 60_000, onlyFailed: false });
      },
    },
  ],
  'waiting.work': [
    {
      prepare: (world) => {
        waiting(world);
        return rpc('waiting.work', { maxMs: 60_000 });
      },
      after: (world) => {
        world.rpc('waiting.work', { maxMs: 60_000 });
        ask(world, ...ASINS.slice(0, 4));
      },
    },
  ],
  'list.look': [...look('list.look', connect), ...look('list.look', finished)],
  'jobs.preview': [
    {
      prepare: (world) => {
        connect(world);
        ask(world, String(ASINS[0]));
        return rpc('jobs.preview', choiceOf(world));
      },
    },
  ],
  'jobs.start': [
    {
      prepare: (world) => {
        connect(world);
        return rpc('jobs.start', choiceOf(world));
      },
      after: drive,
    },
    {
      prepare: (world) => {
        finished(world);
        world.host.wait(DAY_MS);
        return rpc('jobs.start', choiceOf(world));
      },
      after: drive,
    },
  ],
  'jobs.ask': [
    {
      prepare: (world) => {
        const { status, queue } = started(world);
        return rpc('jobs.ask', { jobId: status.jobId, products: queue, maxMs: SLICE_MS });
      },
      after: drive,
    },
  ],
  'jobs.record': [{ prepare: (world) => rpc('jobs.record', askedJob(world)), after: drive }],
  'jobs.setState': (['running', 'paused', 'stopped'] as const).map((state) => ({
    prepare: (world: FaultWorld) =>
      rpc('jobs.setState', { jobId: started(world).status.jobId, state }),
    after: drive,
  })),
  'jobs.status': [...look('jobs.status', started), ...look('jobs.status', finished)],
  'jobs.history': look('jobs.history', finished),
  'jobs.showFailed': [
    {
      prepare: (world) => rpc('jobs.showFailed', { jobId: failing(world), kinds: ['not-found'] }),
    },
  ],
  'list.showRows': [
    {
      prepare: (world) => {
        connect(world);
        const rows = [{ row: 3, shown: String(ASINS[1]) }];
        return rpc('list.showRows', { sheetId: 0, productColumn: 2, rows });
      },
    },
  ],
  'list.fillInNewRows': look('list.fillInNewRows', finished),
  'list.keepAsValues': look('list.keepAsValues', finished),
  'list.makeLive': look('list.makeLive', (world) => {
    finished(world);
    granted(world.rpc('list.keepAsValues'));
  }),
  'list.addCleanAsins': [
    {
      prepare: (world) => {
        connect(world);
        return rpc('list.addCleanAsins', choiceOf(world));
      },
    },
  ],
  'schedule.look': [...look('schedule.look', connect), ...look('schedule.look', scheduled)],
  'schedule.save': [
    {
      prepare: (world) => {
        connect(world);
        return rpc('schedule.save', { id: 's1', settings: settingsOf(world) });
      },
      after: mendClock,
    },
    {
      prepare: (world) => {
        scheduled(world);
        const settings = { ...settingsOf(world), ...FORMULAS };
        return rpc('schedule.save', { id: 's1', settings });
      },
      after: mendClock,
    },
  ],
  'schedule.switch': [
    ...look('schedule.switch', scheduled, { id: 's1', isOn: false }),
    ...look(
      'schedule.switch',
      (world) => {
        scheduled(world);
        world.rpc('schedule.switch', { id: 's1', isOn: false });
      },
      { id: 's1', isOn: true },
    ),
  ],
  'schedule.remove': look('schedule.remove', scheduled, { id: 's1' }),
  'schedule.run': [
    {
      prepare: (world) => {
        scheduled(world, { ...DAILY, ...RULES });
        return rpc('schedule.run', { id: 's1', maxMs: SLICE_MS });
      },
      after: strikeLater,
    },
  ],
  'schedule.history': look('schedule.history', (world) => {
    scheduled(world);
    world.rpc('schedule.run', { id: 's1', maxMs: SLICE_MS });
  }),
  'schedule.adopt': [
    {
      prepare: (world) => {
        scheduled(world);
        // Possible only if the clock of its owner is dead.
        world.host.stores.triggers.uninstall(OWNER);
        world.host.wait(30 * HOUR_MS);
        granted(world.rpc('connection.save', { ...DRAFT, sharing: 'me' }, EDITOR));
        return rpc('schedule.adopt', { id: 's1' }, EDITOR);
      },
      after: (world) => {
        world.rpc('schedule.mend', {}, EDITOR);
      },
    },
  ],
  'schedule.mend': look('schedule.mend', (world) => {
    scheduled(world);
    world.host.stores.triggers.uninstall(OWNER);
  }),
  'schedule.useHere': look('schedule.useHere', scheduled),
  'schedule.seen': look('schedule.seen', (world) => {
    scheduled(world);
    world.host.wait(2 * HOUR_MS);
  }),
  'schedule.show': look(
    'schedule.show',
    (world) => {
      scheduled(world, { ...DAILY, ...RULES });
      world.host.wait(26 * HOUR_MS);
    },
    { rule: 'Profit rose over -1,000' },
  ),
  'deals.look': [
    ...look('deals.look', finished, DEAL_LOOK),
    ...look('deals.look', finished, { ...DEAL_LOOK, hasFigures: true }),
  ],
  'deals.log': look('deals.log', connect),
  'deals.history': look('deals.history', finished, { product: `${ASINS[0]}|US` }),
  'deals.decide': [
    ...onList('deals.decide', finished, COSTS),
    ...onList('deals.decide', decided, COSTS),
  ],
  'deals.remove': onList('deals.remove', decided, {}),
  'deals.newSheet': look('deals.newSheet', connect, { kind: 'arbitrage', hasSamples: false }),
  'deals.tab': [
    ...look('deals.tab', connect, TAB),
    {
      prepare: (world) => {
        connect(world);
        granted(world.rpc('deals.tab', SUMMARY));
        return rpc('deals.tab', SUMMARY);
      },
    },
  ],
  'deals.set': [
    {
      prepare: (world) => {
        connect(world);
        const { sheetId } = granted(world.rpc('deals.tab', TAB));
        const seen = [{ at: 'A1', value: 'Pack' }];
        return rpc('deals.set', { sheetId, seen, cells: [{ at: 'B1', value: 6 }] });
      },
    },
  ],
  'deals.filter': onList('deals.filter', decided, { market: 'US', only: 'Buy' }),
  'deals.sort': onList('deals.sort', decided, { market: 'US' }),
};

/** The other doors, each with the global function that it calls. */
const OTHERS: { readonly [F in Exclude<Function, 'rpc'>]: readonly Scenario[] } = {
  ANALYZE: [
    ofCell('a fresh cell', cell('ANALYZE', ASINS[0], 'US', 'profit')),
    ofCell('a cached cell', cell('ANALYZE', ASINS[0], 'US', 'profit'), (world) =>
      ask(world, String(ASINS[0])),
    ),
    ofCell(
      'a range, one of it cached',
      cell('ANALYZE', [[ASINS[0]], [ASINS[1]], [ASINS[2]], ['']], 'US', 'profit, roi'),
      (world) => ask(world, String(ASINS[1])),
    ),
    {
      ...ofCell('a fresh cell whose limit is not known', cell('ANALYZE', ASINS[0], 'US')),
      prepare: (world) => {
        connect(world, { quota: null });
        return cell('ANALYZE', ASINS[0], 'US');
      },
    },
    {
      ...ofCell(
        'a cell that waits',
        cell('ANALYZE', [[ASINS[0]], [ASINS[1]], [ASINS[2]]], 'US', 'profit'),
        (world) => connect(world, { quota: { calls: 1, perSeconds: 60 } }),
      ),
      after: (world) => {
        connect(world);
        ask(world, ...ASINS.slice(0, 3));
      },
      waits: true,
    },
    ofCell('a cell that decides', cell('ANALYZE', ASINS[0], 'US', 'verdict, why')),
    ofCell('a cell with samples', cell('ANALYZE', 'B0SAMPLE01'), (world) => {
      world.rpc('connection.clear');
      world.rpc('demo.start');
    }),
  ],
  ANALYZE_MAX_BUY: [ofCell('the most one can pay', cell('ANALYZE_MAX_BUY', ASINS[0], 'US', 0.3))],
  ANALYZE_WHAT_IF: [ofCell('other prices', cell('ANALYZE_WHAT_IF', ASINS[0], 'US', 5))],
  ANALYZE_FIELDS: [ofCell('the header of fields', cell('ANALYZE_FIELDS', 'profit'))],
  ANALYZE_ASIN: [ofCell('a clean ASIN', cell('ANALYZE_ASIN', ASINS[0]))],
  onOpen: [
    { name: 'onOpen', prepare: () => ({ ...menu('onOpen'), door: 'open', authMode: 'LIMITED' }) },
  ],
  onInstall: [{ name: 'onInstall', prepare: () => ({ ...menu('onInstall'), door: 'install' }) }],
  openSidebar: [ofMenu('openSidebar')],
  newDealSheet: [ofMenu('newDealSheet')],
  enableFunctions: [ofMenu('enableFunctions')],
  runDiagnostics: [
    {
      ...ofMenu('runDiagnostics'),
      // What its call could not settle, the next one does.
      after: (world) => {
        world.run(menu('runDiagnostics'));
      },
    },
  ],
  onSchedule: [
    {
      name: 'a firing with nothing due',
      prepare: (world) => {
        scheduled(world, { recurrence: { kind: 'daily', hour: 6 } });
        return firing;
      },
      after: strikeLater,
    },
    {
      name: 'a firing with rows due for the first time',
      prepare: (world) => {
        scheduled(world, { ...DAILY, ...RULES });
        return withoutClock(world);
      },
      after: strikeLater,
    },
    {
      name: 'a firing with rows whose figures change',
      prepare: (world) => {
        scheduled(world, { ...DAILY, ...RULES });
        world.rpc('schedule.run', { id: 's1', maxMs: SLICE_MS });
        return withoutClock(world, DAY_MS + HOUR_MS);
      },
      after: strikeLater,
    },
    {
      name: 'a firing with formulas due',
      prepare: (world) => {
        scheduled(world, FORMULAS);
        ask(world, ...ASINS.slice(LISTED, LISTED + 3));
        return withoutClock(world, DAY_MS + HOUR_MS);
      },
      after: strikeLater,
    },
    {
      name: 'a firing that goes on with a run',
      prepare: (world) => {
        started(world);
        world.host.wait(120_000);
        return firing;
      },
      after: strikeLater,
    },
    {
      name: 'a firing with waiting products',
      prepare: (world) => {
        waiting(world);
        return firing;
      },
      after: (world) => {
        strikeLater(world);
        ask(world, ...ASINS.slice(0, 4));
      },
    },
  ],
};

/**
 * Sheets recalculates cells whenever a sheet opens; an answer that is paid for then costs nothing.
 */
function ofCell(
  name: string,
  execution: Execution,
  before: (world: FaultWorld) => unknown = () => {},
): Scenario {
  return {
    name,
    prepare: (world) => {
      connect(world);
      before(world);
      return execution;
    },
    after: (world) => {
      world.host.wait(20_000);
      world.run(execution);
    },
  };
}

function ofMenu(functionName: Function): Scenario {
  return {
    name: functionName,
    prepare: (world) => {
      connect(world);
      return menu(functionName);
    },
  };
}

export const METHODS_SWEPT: readonly string[] = Object.keys(METHODS);

export const SCENARIOS: readonly Scenario[] = [
  ...Object.values(OTHERS).flat(),
  ...Object.entries(METHODS).flatMap(([method, scenarios]) =>
    scenarios.map((scenario, at) => ({
      ...scenario,
      name: scenarios.length === 1 ? method : `${method} (${at + 1})`,
    })),
  ),
];
