// The sweep of temporary faults and of kills: for each service call of each door, a world in which that
// call fails or is the last one, and its judgement.

import type { ExecutionEnd } from 'apps-script-host/execution';
import type { FaultMoment } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import {
  createFaultWorld,
  type FaultWorld,
  type Kept,
  type Operation,
  type Reply,
  rawIn,
} from './fault-world';
import type { Scenario } from './scenarios';

export interface FaultAt {
  readonly scenario: Scenario;
  /** Counts from 1. */
  readonly call: number;
  readonly operation: string;
  readonly when: FaultMoment;
  /** 2: the repeated call fails as well. */
  readonly times: 1 | 2;
  /** Whether the whole execution ends there. Those that have the lease leave it behind. */
  readonly isCutOff: boolean;
}

export type Wrong = {
  readonly kind: 'lost' | 'paid twice' | 'raw' | 'other';
  readonly text: string;
};

export interface Judged {
  readonly fault: FaultAt;
  readonly wrongs: readonly Wrong[];
  /** Calls that were repeated because Google lost the service's answer. */
  readonly askedAgain: number;
  /** Whether the person was told that Google did not answer. */
  readonly isTold: boolean;
}

/** The result of the scenario in a world without faults. */
export interface Calm {
  readonly scenario: Scenario;
  readonly operations: readonly Operation[];
  readonly end: ExecutionEnd;
  readonly before: Kept;
  readonly after: Kept;
  readonly final: Kept;
  readonly asked: ReadonlyMap<string, number>;
}

type Dist = HostOptions['dist'];

/**
 * What must be the same in the end. A double failure was reported, and its result may have been reached
 * in another way; what was cut off also has another history.
 */
function partsAfter({ times, isCutOff }: FaultAt): readonly (keyof Kept)[] {
  if (isCutOff) return ['core'];
  return times === 1 ? ['all'] : ['core', 'jobs'];
}

const TRY_AGAIN = /again/i;
const WAITS = /again|waiting for the key/i;

/** Played once for all sweeps. */
const calms = new Map<Scenario, Calm>();

function calmOf(dist: Dist, scenario: Scenario): Calm {
  const played = calms.get(scenario) ?? calm(dist, scenario);
  calms.set(scenario, played);
  return played;
}

function calm(dist: Dist, scenario: Scenario): Calm {
  const world = createFaultWorld(dist);
  const execution = scenario.prepare(world);
  const before = world.kept();
  const end = world.run(execution);
  const operations = [...world.operations()];
  if (end.ended !== 'returned' || replyOf(execution, end)?.ok === false)
    throw new Error(`${scenario.name}, where nothing fails: ${JSON.stringify(end)}`);
  const after = world.kept();
  goOn(world, scenario, execution, end);
  return { scenario, operations, end, before, after, final: world.kept(), asked: world.asked() };
}

const MOMENTS: readonly FaultMoment[] = ['before', 'after'];

/** Every call of the scenario with a fault before and after its effect, once and twice. */
function faultsIn({ scenario, operations }: Calm): readonly FaultAt[] {
  return operations.flatMap(({ name }, at) =>
    MOMENTS.flatMap((when) =>
      ([1, 2] as const).map((times) => faultOf(scenario, at, name, { when, times })),
    ),
  );
}

/** Every call under a lease, before and after whose effect the execution is cut off. */
function killsIn({ scenario, operations }: Calm): readonly FaultAt[] {
  return operations.flatMap(({ name, isLeased }, at) =>
    isLeased ? MOMENTS.map((when) => faultOf(scenario, at, name, { when, isCutOff: true })) : [],
  );
}

function faultOf(
  scenario: Scenario,
  at: number,
  operation: string,
  how: Pick<FaultAt, 'when'> & Partial<FaultAt>,
): FaultAt {
  return { ...{ scenario, call: at + 1, operation, times: 1, isCutOff: false }, ...how };
}

/** A person repeats what failed; sheets and the clock return to it by themselves. */
function goOn(world: FaultWorld, scenario: Scenario, execution: Execution, end: ExecutionEnd) {
  let last = end;
  for (let tries = 0; tries < 3 && !isDone(execution, last); tries += 1) {
    world.host.wait(5_000);
    last = world.run(execution);
  }
  scenario.after?.(world);
}

const replyOf = ({ door }: Execution, { value }: ExecutionEnd): Reply | null =>
  door === 'sidebar' ? (value as Reply) : null;

const isDone = (execution: Execution, end: ExecutionEnd) =>
  end.ended === 'returned' && replyOf(execution, end)?.ok !== false;

function judge(dist: Dist, calmly: Calm, fault: FaultAt): Judged {
  const wrongs: Wrong[] = [];
  const tell = (kind: Wrong['kind'], text: string) => wrongs.push({ kind, text });
  const { scenario, call, when, times } = fault;
  const world = createFaultWorld(dist, !fault.operation.startsWith('lock.'));
  let isTold = false;
  let askedAgain = 0;
  try {
    const execution = scenario.prepare(world);
    const onView = world.grid.selection();
    const end = fault.isCutOff
      ? world.run({ ...execution, [when === 'before' ? 'killAtCall' : 'killAfterCall']: call })
      : world.run(execution, [{ atCall: call, when, times }]);
    if (!fault.isCutOff) isTold = judgeEnd({ fault, execution, end, calmly, tell });
    else if (end.ended !== 'killed') tell('other', `${end.ended}, and was not cut off`);
    judgeSettings(world.kept(), calmly, tell);
    // The view stays where the execution has left it: a person returns to the list.
    if (fault.isCutOff) world.grid.select(onView);
    goOn(world, scenario, execution, end);
    const isShown = end.ended === 'returned' && rawless(end.value) === rawless(calmly.end.value);
    askedAgain = judgeCalls(world.asked(), calmly, { fault, isShown, tell });
    const final = world.kept();
    for (const part of scenario.makesAnother && fault.isCutOff ? [] : partsAfter(fault))
      if (final[part] !== calmly.final[part])
        tell('lost', difference(calmly.final[part], final[part]));
    if (times === 1 && !fault.isCutOff && final.records !== calmly.final.records)
      tell('lost', final.records);
    for (const text of world.raw) tell('raw', text);
  } catch (error) {
    tell('other', String(error));
  }
  return { fault, wrongs, askedAgain, isTold };
}

interface Ended {
  readonly fault: FaultAt;
  readonly execution: Execution;
  readonly end: ExecutionEnd;
  readonly calmly: Calm;
  readonly tell: (kind: Wrong['kind'], text: string) => void;
}

/**
 * Judges what the person, the cell or the clock receives. Returns whether it says that it failed.
 */
function judgeEnd({ fault, execution, end, calmly, tell }: Ended): boolean {
  const raw = rawIn([end.value, end.error]);
  if (raw !== null) tell('raw', `shows "${raw}"`);
  if (end.ended === 'killed' || end.ended === 'timedOut')
    tell('other', `${end.ended}: ${end.error?.message}`);
  const reply = replyOf(execution, end);
  const words = end.error?.message ?? (reply?.failure && saidBy(reply.failure));
  if (words === undefined) {
    if (execution.door === 'cell') judgeCells(end.value, calmly.end.value, fault, tell);
    return false;
  }
  if (fault.times === 1 && execution.door === 'cell') tell('lost', `one fault shows "${words}"`);
  else if (!TRY_AGAIN.test(words)) tell('other', `says "${words}"`);
  return true;
}

function saidBy(failure: NonNullable<Reply['failure']>): string {
  const { message, action = '' } = failure;
  return `${message} ${action}`;
}

/**
 * After one fault, a cell must show what it shows without; after two, a row may ask to try again.
 */
function judgeCells(shown: unknown, calmly: unknown, fault: FaultAt, tell: Ended['tell']): void {
  const text = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  if (text(shown) === text(calmly)) return;
  const cells = [shown].flat(2).map(String);
  const own = new Set([calmly].flat(2).map(String));
  const { times, scenario } = fault;
  const isExcused = times === 2 || scenario.waits === true;
  const words = scenario.waits ? WAITS : TRY_AGAIN;
  const strange = cells.filter((cell) => !own.has(cell) && cell !== 'null' && !words.test(cell));
  if (!isExcused || strange.length > 0)
    tell('lost', `shows ${text(shown)} in place of ${text(calmly)}`);
}

/** A setting is either saved or not, never half of it. */
function judgeSettings(now: Kept, { before, after }: Calm, tell: Ended['tell']): void {
  if (now.settings === before.settings || now.settings === after.settings) return;
  tell('lost', `half saved: ${difference(after.settings, now.settings)}`);
}

const rawless = (value: unknown) => JSON.stringify(value);

interface Asked {
  readonly fault: FaultAt;
  /** Whether the cell showed the right value. */
  readonly isShown: boolean;
  readonly tell: Ended['tell'];
}

/**
 * The number of calls that Google's fault itself costs. An answer that was lost on its way cannot
 * be stored; one that was shown but that the cache refused twice is asked for again when it is
 * needed again.
 */
function judgeCalls(
  asked: ReadonlyMap<string, number>,
  calmly: Calm,
  { fault: { operation, when, times, scenario }, isShown, tell }: Asked,
): number {
  const isLost = operation.startsWith('urlFetch.') && when === 'after';
  const isBrought = isShown || scenario.bringsAnswers === true;
  const isNotKept = operation.startsWith('cache.put') && times === 2 && isBrought;
  const isAnew = scenario.asksAnew === true && times === 2;
  let again = 0;
  for (const [asin, count] of asked) {
    const usual = Math.max(1, calmly.asked.get(asin) ?? 0);
    const more = count - usual;
    const most = (isLost ? times : Number(isNotKept)) + (isAnew ? usual : 0);
    if (more <= 0) continue;
    if (more <= most) again += more;
    else tell('paid twice', `${asin} was asked ${more} times more`);
  }
  return scenario.waits ? 0 : again;
}

/** The first lines in which two texts differ. */
function difference(expected: string, found: string): string {
  const [lines, others] = [expected.split('\n'), found.split('\n')];
  const at = others.findIndex((line, place) => line !== lines[place]);
  return `${others[at]?.trim().slice(0, 300)} in place of ${lines[at]?.trim().slice(0, 300)}`;
}

export interface Swept {
  readonly calls: number;
  readonly doors: number;
  readonly worlds: number;
  readonly broken: readonly Judged[];
  readonly askedAgain: number;
  readonly told: number;
  readonly of: Readonly<Record<Wrong['kind'], number>>;
}

/** What happens to each door: a service fails for a moment, or the execution is cut off under a lease. */
const HAPPENINGS = { faults: faultsIn, kills: killsIn } as const;
export type Happening = keyof typeof HAPPENINGS;

/** @param isMeant selects some of all faults, which come in order. */
export function sweep(
  dist: Dist,
  scenarios: readonly Scenario[],
  happening: Happening,
  isMeant: (fault: FaultAt, place: number) => boolean = () => true,
  onJudged: (judged: Judged, place: number) => void = () => {},
): Swept {
  const hit = new Set<string>();
  const judged: Judged[] = [];
  let place = 0;
  for (const scenario of scenarios) {
    const calmly = calmOf(dist, scenario);
    for (const fault of HAPPENINGS[happening](calmly)) {
      place += 1;
      if (!isMeant(fault, place)) continue;
      hit.add(`${scenario.name} ${fault.call}`);
      const one = judge(dist, calmly, fault);
      judged.push(one);
      onJudged(one, place);
    }
  }
  const broken = judged.filter(({ wrongs }) => wrongs.length > 0);
  const count = (kind: Wrong['kind']) =>
    broken.filter(({ wrongs }) => wrongs.some((wrong) => wrong.kind === kind)).length;
  return {
    calls: hit.size,
    doors: scenarios.length,
    worlds: judged.length,
    broken,
    askedAgain: judged.reduce((sum, one) => sum + one.askedAgain, 0),
    told: judged.filter(({ isTold }) => isTold).length,
    of: {
      lost: count('lost'),
      'paid twice': count('paid twice'),
      raw: count('raw'),
      other: count('other'),
    },
  };
}

/** "Faults: 1,234 service calls hit in 58 doors: 0 lost, 0 paid twice, 0 raw" */
export function sweptWords(
  { calls, doors, worlds, of, askedAgain, told }: Swept,
  happening: Happening,
): string {
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    `${happening === 'faults' ? 'Faults' : 'Kills'}: ${number(calls)} service calls hit in ${doors} doors: ` +
      `${of.lost} lost, ${of['paid twice']} paid twice, ${of.raw} raw`,
    `${number(worlds)} worlds, ${of.other} otherwise wrong; ${number(told)} said to try again; ` +
      `${number(askedAgain)} calls were made again because Google lost the service's answer, or twice did not keep it.`,
  ].join('\n');
}

export function wordsOf({ fault, wrongs }: Judged): string {
  const { scenario, call, operation, when, times } = fault;
  const what = wrongs.map(({ kind, text }) => `\n  ${kind}: ${text}`);
  return `${scenario.name}, ${times === 2 ? 'twice ' : ''}${when} call ${call} (${operation}):${what.join('')}`;
}
