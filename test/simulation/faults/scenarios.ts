// The scenarios of the sweep of temporary faults: every door of the add-on in a state in which it
// has something to do.

import { calculating } from 'apps-script-host/calculation';
import type { Execution } from 'apps-script-host/host-contract';
import type * as entry from '../../../src/entry';
import type { RpcMethod } from '../../../src/sidebar/api/methods';
import { type Look, listTask } from '../schedule/record';
import { tabRows } from '../seen';
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
  /** Set if its reply brings answers that the page records, whether the cache has taken them or not. */
  readonly bringsAnswers?: true;
  /** Set if it adds one more sheet each time, so that one that was cut off stays beside the next. */
  readonly makesAnother?: true;
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

interface Begun {
  readonly status: { readonly jobId: string; readonly state: string };
  readonly queue: readonly string[];
}

/** A job that was started but not worked on. */
function started(world: FaultWorld): Begun {
  connect(world);
  return granted(world.rpc('jobs.start', choiceOf(world))) as unknown as Begun;
}

const askFor = ({ status, queue }: Begun): Execution =>
  rpc('jobs.ask', { jobId: status.jobId, products: queue, maxMs: 20_000 });

/** Asks for what is left and records it, as the page does. */
function workOn(world: FaultWorld, { status: { jobId }, queue }: Begun): void {
  const { value } = world.rpc('jobs.ask', { jobId, products: queue, maxMs: 60_000 });
  const { answers = [], calls = 0 } = value ?? {};
  world.rpc('jobs.record', { jobId, answers, calls });
}

function finished(world: FaultWorld): Begun {
  const begun = started(world);
  workOn(world, begun);
  return begun;
}

/** Acts like the page with a person in front of it, until the list is done. */
function drive(world: FaultWorld): void {
  for (let tries = 0; tries < 6; tries += 1) {
    const look = granted(world.rpc('list.look'));
    const job = look.job as { readonly jobId: string } | null;
    if (job === null && !isOpen(world)) return;
    const { value } =
      job === null
        ? world.rpc('jobs.start', look.choice as object)
        : world.rpc('jobs.setState', { jobId: job.jobId, state: 'running' });
    if (value === undefined) world.host.wait(20_000);
    else workOn(world, value as unknown as Begun);
  }
}

/** A job goes on without the clock, and a person who misses the clock sets it again. */
function driveWithClock(world: FaultWorld): void {
  drive(world);
  world.rpc('schedule.mend');
}

/**
 * A schedule is saved even if Google fails twice to create the trigger; the page says so and offers
 * to create it.
 */
const mendClock = (world: FaultWorld) => {
  world.rpc('schedule.mend');
};

/** Whether a row of the list has no figures yet. */
const isOpen = (world: FaultWorld): boolean =>
  tabRows(world.grid).filter(({ status }) => status === 'OK').length < LISTED;

/** Gives the list its columns, without figures. */
function marked(world: FaultWorld): void {
  const { jobId } = started(world).status;
  granted(world.rpc('jobs.setState', { jobId, state: 'stopped' }));
}

/** Settings of a schedule for the list, which is marked. */
function settingsOf(world: FaultWorld): object {
  const look = granted(world.rpc('schedule.look')) as unknown as Look;
  return { ...DAILY, task: listTask(look), callsPerHour: null, quiet: null, rules: [] };
}

/** One hour after a world begins. */
const DAILY = { recurrence: { kind: 'daily', hour: 10 }, maxAgeHours: 20 };
const RULES = { rules: [{ kind: 'rose-over', field: 'profit', bound: -1_000 }] };

function scheduled(world: FaultWorld, more: object = DAILY): void {
  marked(world);
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

const failing = (world: FaultWorld): string => {
  connect(world);
  world.grid.write(0, 3, 2, [['B000000000']]);
  return finished(world).status.jobId;
};

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

/** A list in a sheet of formulas that are worked out. */
function dealList(world: FaultWorld) {
  calculating(world.grid, { nowMs: world.host.nowMs });
  finished(world);
}

const WISH = { list: null, market: null, cost: null };

/** Ready for decisions. */
function ruled(world: FaultWorld) {
  dealList(world);
  granted(world.rpc('deals.rules', {}));
}

function decided(world: FaultWorld) {
  ruled(world);
  granted(world.rpc('deals.decide', WISH));
}

function decidedList(world: FaultWorld) {
  decided(world);
  const { look: seen } = granted(world.rpc('deals.look', { ...WISH, shows: 'totals' }));
  const { sheet, listId } = seen as { sheet: { id: number }; listId: string };
  return { sheetId: sheet.id, listId };
}

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
  'connection.clear': look('connection.clear', connect),
  'formulas.refresh': [
    {
      prepare: (world) => {
        connect(world);
        world.grid.write(0, 2, 5, [
          [{ formula: '=ANALYZE(A2:A4, "US", "profit", ANALYZE_REFRESH)' }],
        ]);
        return rpc('formulas.refresh', { maxMs: 60_000, onlyFailed: false });
      },
    },
  ],
  'formulas.follow': [
    {
      prepare: (world) => {
        connect(world);
        world.grid.write(0, 2, 5, [[{ formula: '=ANALYZE(A2:A4, "US", "profit")' }]]);
        return rpc('formulas.follow', { maxMs: 60_000 });
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
  'list.showRows': [
    {
      prepare: (world) => {
        connect(world);
        const rows = [{ row: 3, shown: String(ASINS[1]) }];
        return rpc('list.showRows', { sheetId: 0, productColumn: 2, rows });
      },
    },
  ],
  'jobs.queueNext': [
    {
      prepare: (world) => {
        const { jobId } = started(world).status;
        return rpc('jobs.queueNext', { jobId, sheetId: 0, choices: [choiceOf(world)] });
      },
    },
  ],
  'jobs.beginNext': look('jobs.beginNext', finished),
  'list.selected': look('list.selected', finished, { column: 2 }),
  'list.showSheet': look('list.showSheet', finished, { sheetId: 0 }),
  'list.fillInNewRows': look('list.fillInNewRows', (world) => {
    finished(world);
    world.grid.write(0, LISTED + 2, 1, [['one more', String(ASINS[LISTED])]]);
  }),
  'list.copyAsValues': look('list.copyAsValues', finished).map((one) => ({
    ...one,
    makesAnother: true,
  })),
  'list.showColumns': [
    {
      prepare: (world) => {
        finished(world);
        return rpc('list.showColumns', { ...choiceOf(world), cleanAsins: true });
      },
    },
  ],
  'list.bringBackTab': look('list.bringBackTab', (world) => {
    finished(world);
    const tab = world.grid.sheets().find(({ name }) => name === 'Analysis');
    if (tab !== undefined) world.grid.deleteSheet(tab.id);
  }),
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
      after: driveWithClock,
    },
    {
      prepare: (world) => {
        finished(world);
        world.host.wait(DAY_MS);
        return rpc('jobs.start', choiceOf(world));
      },
      after: driveWithClock,
    },
  ],
  'jobs.askAhead': [
    {
      prepare: (world) => {
        connect(world);
        const { first } = granted(world.rpc('jobs.preview', choiceOf(world)));
        return rpc('jobs.askAhead', { products: first, maxMs: 20_000 });
      },
      after: drive,
    },
  ],
  'jobs.ask': [
    { prepare: (world) => askFor(started(world)), after: drive, bringsAnswers: true },
    {
      prepare: (world) => {
        connect(world);
        ask(world, ...ASINS.slice(0, 2));
        return askFor(started(world));
      },
      after: drive,
      bringsAnswers: true,
    },
  ],
  'jobs.record': [
    {
      prepare: (world) => {
        const { status, queue } = started(world);
        const { jobId } = status;
        const asked = granted(world.rpc('jobs.ask', { jobId, products: queue, maxMs: 60_000 }));
        return rpc('jobs.record', { jobId, answers: asked.answers, calls: asked.calls });
      },
      after: driveWithClock,
    },
    // A sign of life.
    {
      prepare: (world) =>
        rpc('jobs.record', { jobId: started(world).status.jobId, answers: [], calls: 0 }),
      after: driveWithClock,
    },
  ],
  'jobs.setState': [
    {
      prepare: (world) =>
        rpc('jobs.setState', { jobId: started(world).status.jobId, state: 'paused' }),
      after: drive,
    },
    {
      prepare: (world) => {
        const { jobId } = started(world).status;
        granted(world.rpc('jobs.setState', { jobId, state: 'paused' }));
        return rpc('jobs.setState', { jobId, state: 'running' });
      },
      after: drive,
    },
    {
      prepare: (world) =>
        rpc('jobs.setState', { jobId: started(world).status.jobId, state: 'stopped' }),
    },
  ],
  'jobs.status': [...look('jobs.status', started), ...look('jobs.status', finished)],
  'jobs.showFailed': [
    {
      prepare: (world) => rpc('jobs.showFailed', { jobId: failing(world), kinds: ['not-found'] }),
    },
  ],
  'schedule.look': [...look('schedule.look', connect), ...look('schedule.look', scheduled)],
  'schedule.save': [
    {
      prepare: (world) => {
        marked(world);
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
  'schedule.seen': look(
    'schedule.seen',
    (world) => {
      scheduled(world);
      world.host.wait(2 * HOUR_MS);
    },
    { atMs: Date.UTC(2026, 0, 5, 10) },
  ),
  'schedule.show': look(
    'schedule.show',
    (world) => {
      scheduled(world, { ...DAILY, ...RULES });
      world.host.wait(26 * HOUR_MS);
    },
    { rule: 'Profit rose over -1,000' },
  ),
  'deals.look': look('deals.look', dealList, { ...WISH, shows: 'totals' }),
  'deals.decide': [dealList, ruled, decided].flatMap((before) =>
    look('deals.decide', before, WISH),
  ),
  'deals.keepBound': [
    {
      prepare: (world) => rpc('deals.keepBound', { ...decidedList(world), role: 'cost' }),
    },
  ],
  'deals.remove': [{ prepare: (world) => rpc('deals.remove', decidedList(world)) }],
  'deals.removeColumns': [{ prepare: (world) => rpc('deals.removeColumns', decidedList(world)) }],
  'deals.rules': [connect, ruled].flatMap((before) =>
    look('deals.rules', before, { profile: 'Acme', values: { minProfit: 6 } }),
  ),
  'deals.newSheet': [
    {
      prepare: (world) => {
        connect(world);
        return rpc('deals.newSheet', { kind: 'wholesale', hasSamples: false });
      },
      makesAnother: true,
    },
  ],
  'deals.shop': look('deals.shop', decided, WISH).map((one) => ({ ...one, makesAnother: true })),
  'deals.markOrdered': look('deals.markOrdered', decided, {
    ...WISH,
    lines: ASINS.map((asin) => `${asin}|US 5`),
  }),
  'deals.summarize': [
    ...look('deals.summarize', decided, WISH),
    ...look(
      'deals.summarize',
      (world) => {
        decided(world);
        granted(world.rpc('deals.summarize', WISH));
      },
      WISH,
    ),
  ],
  'deals.filter': look('deals.filter', decided, { ...WISH, only: 'Buy' }),
  'deals.showCounted': look('deals.showCounted', decided, { ...WISH, words: 'Buy' }),
  'deals.sort': look('deals.sort', decided, WISH),
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
      name: 'a firing that goes on with a job',
      prepare: (world) => {
        const { jobId } = started(world).status;
        // From its first record on, the clock goes on with a job.
        granted(world.rpc('jobs.record', { jobId, answers: [], calls: 0 }));
        world.host.wait(200_000);
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
