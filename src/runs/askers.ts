// Askers: workers that ask for the products that the writer hands them. How products are handed out
// and answers return.

import {
  ANALYSIS_KEEP_MS,
  type Entry,
  entryIn,
  entryOf,
  keysIn,
  mergeBucket,
} from '../cache/entries';
import { analyze } from '../engine/analyze';
import { findAnswers, type Hooks } from '../engine/ask';
import { type Engine, openEngine, sleepUntil } from '../engine/engine';
import { concernOf, endsRun, type Failure, isFailure } from '../failures/failure';
import type { Clock, SheetPlatform } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { type Product, productKey, productOfKey } from '../product/asin';
import { HORIZON_MS } from '../quota/rate';
import { productOf } from '../table/row';
import { heartbeat, type LeaseOptions, waveMeter, workersFor } from './lease';
import type { Run } from './run';
import {
  type AskerLease,
  aliveAskers,
  type Hand,
  isAlive,
  type RunStore,
  type WorkersReading,
  wantedOf,
} from './run-store';
import { writeAll } from './worker-rows';
import {
  endSlice,
  LATE_WRITES_MS,
  listen,
  nextPage,
  PAGE_PRODUCTS,
  type Slice,
  type SliceEnd,
  stuck,
  tell,
  WRITE_ROWS_MAX,
} from './worker-state';

/** How often a worker without work looks for news; the last answers are written without delay. */
const NAP_MS = 400;
const LAST_NAP_MS = 150;

/**
 * How often, and for how long in all, a worker that shares the key with others looks for the
 * difference between their clocks.
 */
const CLOCK_LOOK_MS = 50;
const CLOCK_LOOKS_MS = 1_200;
/**
 * With more askers, their bookings are frequent enough to show how clocks differ, and such looks
 * would cost slots.
 */
const FEW_ASKERS = 3;

/** A shorter wait is not worth showing. */
const LONG_WAIT_MS = 3_000;

/** The time of the next call if the wait is worth showing. */
export const longWait = (dueMs: number | null, nowMs: number): number | null =>
  dueMs !== null && dueMs > nowMs + LONG_WAIT_MS ? dueMs : null;

/** Answers of this execution that are not yet in the cache shared by all doors. */
export interface Unkept {
  add(answers: ReadonlyMap<string, Answer>): void;
  count(): number;
  keep(): void;
}

/** Takes in answers. Failures of the connection do not belong to a row: see `settleAll`. */
export function take(slice: Slice, answers: ReadonlyMap<string, Answer>): void {
  for (const [key, answer] of answers) {
    if (!answer.ok && (endsRun(answer.failure) || answer.failure.kind === 'waiting')) continue;
    slice.answers.set(key, answer);
    const isOfService = !answer.ok && concernOf(answer.failure.kind) === 'service';
    slice.serviceFailures = isOfService ? slice.serviceFailures + 1 : 0;
  }
  slice.changes?.take(answers);
  const [first] = slice.page;
  const last = slice.page[Math.min(slice.page.length, WRITE_ROWS_MAX) - 1];
  if (first && last) slice.rowsAtWork = [first.row, last.row];
}

/**
 * Takes in the final answers of a page. A failure of the connection, or of the service as a whole,
 * ends the worker's call.
 */
export function settleAll(slice: Slice, answers: ReadonlyMap<string, Answer>): void {
  for (const [key, answer] of answers) {
    if (answer.ok || !(endsRun(answer.failure) || isOfAll(answer.failure))) continue;
    if (!isOfProduct(slice, answer.failure)) endSlice(slice, stuck(answer.failure));
    slice.answers.set(key, answer);
  }
}

/** Whether the service is still down after it was waited for. */
const isOfAll = (failure: Failure) => failure.kind === 'waiting' && failure.status !== undefined;

/**
 * If the address has answered for other products, it is right, and only this product leads
 * elsewhere.
 */
function isOfProduct({ answers }: Slice, { kind }: Failure): boolean {
  return kind === 'wrong-address' && [...answers.values()].some(({ ok }) => ok);
}

const askersOf = (slice: Slice) =>
  aliveAskers(slice.beat.look(), slice.platform.clock.nowMs()).filter(
    ([number, { owner }]) => number < slice.wanted || slice.hands.has(owner),
  );

/** Whether the writer hands out products instead of asking for them itself. */
export const hasAskers = (slice: Slice): boolean =>
  slice.hands.size > 0 || askersOf(slice).length > 0;

/** Hands out products and writes the answers for as long as there are askers. */
export function lead(
  slice: Slice,
  engine: Engine,
  unkept: Unkept,
  tend: (isLast: boolean) => void,
): void {
  const { clock } = slice.platform;
  const looked = new Set<string>();
  while (slice.queue.length > 0 && clock.nowMs() < slice.untilMs && hasAskers(slice)) {
    // Answers of askers are taken in as soon as they arrive.
    listen(slice, false);
    const before = slice.hands.size;
    gather(slice, engine, unkept);
    const hasLost = slice.hands.size < before;
    const open = openProducts(slice, engine, looked);
    // An asker that has disappeared is no longer listed, so that another may take its place.
    if (handOut(slice, open, engine.gate.waveMax, hiredIn(slice)) || hasLost) tell(slice);
    const isLast = open.length === 0;
    // All answers are here, so the next write need not wait for its time.
    if (isLast && !isAsked(slice)) writeAll(slice);
    if (slice.queue.length === 0) return;
    tend(isLast);
    if (unkept.count() === 0) letGo(slice);
    sleepUntil(engine, clock.nowMs() + (isLast ? LAST_NAP_MS : NAP_MS));
  }
}

/**
 * Hands out products while the run is being started, if askers are already there.
 *
 * @param mostAskers one before the rows are marked, so that the first rows are asked for first.
 */
export function shareOut(slice: Slice, engine: Engine, mostAskers?: number): void {
  const open = hasAskers(slice) ? openProducts(slice, engine, new Set()) : [];
  handOut(slice, open, engine.gate.waveMax, hiredIn(slice).slice(0, mostAskers));
  tell(slice);
}

type Asker = ReturnType<typeof aliveAskers>[number];

/** The askers that may get products. */
const hiredIn = (slice: Slice): readonly Asker[] =>
  askersOf(slice).filter(([number]) => number < slice.wanted);

const isAsked = ({ answers, hands }: Slice): boolean =>
  [...hands.values()].some(({ keys }) => keys.some((key) => !answers.has(key)));

/** Takes in the askers' answers, and releases the products of askers that have disappeared. */
function gather(slice: Slice, engine: Engine, unkept: Unkept): void {
  const { answers, hands, heard, meter, tally } = slice;
  const nowMs = slice.platform.clock.nowMs();
  const { askers } = slice.beat.look();
  const news = new Map<string, Answer>();
  for (const [owner, hand] of hands) {
    const lease = askers.get(hand.worker);
    // A missing lease may only have been forgotten by the cache; a lease of another owner proves
    // that the asker has gone.
    if (lease === undefined && nowMs < hand.aliveUntilMs) continue;
    const own = lease?.owner === owner ? lease : undefined;
    for (const key of keysIn(own?.bucket)) {
      const entry = answers.has(key) ? undefined : entryIn(own?.bucket, key);
      const answer = entry && engine.reading.anew(entry.answer, key, entry.reading);
      if (answer !== undefined) news.set(key, answer);
    }
    if (own !== undefined) count(own);
    if (own !== undefined && isAlive(own, nowMs))
      hands.set(owner, { ...hand, aliveUntilMs: own.aliveUntilMs });
    else hands.delete(owner);
  }
  function count({ owner, calls }: AskerLease): void {
    tally.add({ calls: calls - (heard.get(owner) ?? 0) });
    heard.set(owner, calls);
  }
  unkept.add(news);
  take(slice, news);
  settleAll(slice, news);
  const alive = askersOf(slice).map(([, lease]) => lease);
  const due = alive.flatMap(({ nextCallMs }) => nextCallMs ?? []);
  slice.nextCallMs = due.length > 0 && due.length === alive.length ? Math.min(...due) : null;
  const loads = alive.flatMap(({ load }) => load ?? []);
  if (loads.length === 0) return;
  const load = loads.reduce((sum, one) => sum + one, 0) / loads.length;
  meter.learn(load);
  slice.wanted = workersFor(load, slice.wanted);
}

/**
 * The next products that nobody is asking for, in the order of the list. Those in the cache are
 * answered from it.
 */
function openProducts(slice: Slice, engine: Engine, looked: Set<string>): readonly string[] {
  const { answers, hands } = slice;
  const handed = new Set([...hands.values()].flatMap(({ keys }) => keys));
  const isOpen = (key: string) => !answers.has(key) && !handed.has(key);
  const keysOf = () => {
    const keys = slice.page.flatMap((row) => productOf(row) ?? []).map(productKey);
    return [...new Set(keys)].filter(isOpen);
  };
  const open = keysOf();
  if (open.length > PAGE_PRODUCTS / 2) return open;
  const most = PAGE_PRODUCTS + handed.size;
  slice.page = nextPage(slice.queue, most, (key) => answers.has(key)).rows;
  const unknown = keysOf().filter((key) => !looked.has(key));
  if (unknown.length === 0) return keysOf();
  const found = findAnswers(engine, unknown, policyOf(slice.run));
  for (const key of unknown) looked.add(key);
  for (const key of found.keys()) slice.cached.add(key);
  take(slice, found);
  return keysOf();
}

const policyOf = ({ notBeforeMs }: Run) => ({
  horizonMs: HORIZON_MS,
  triesAgain: true,
  ...(notBeforeMs !== undefined && { notBeforeMs }),
});

/**
 * How many waves an asker still has when it gets more, so that it never waits for a write to the
 * list.
 */
const WAVES_LEFT = 3;

/**
 * Hands the next products, a wave at a time, to the asker with the least work; returns whether it
 * handed out any. Near the end of the list askers hold less and less, and the last waves go to
 * those that are idle, so that all of them end at the same time.
 */
function handOut(
  { answers, hands }: Slice,
  open: readonly string[],
  waveMax: number,
  hired: readonly Asker[],
): boolean {
  let next = 0;
  const leftOf = (owner: string) =>
    (hands.get(owner)?.keys ?? []).filter((key) => !answers.has(key)).length;
  while (next < open.length) {
    const waves = Math.floor((open.length - next) / (hired.length * waveMax));
    const most = waveMax * (hired.length === 1 ? WAVES_LEFT : Math.min(WAVES_LEFT, waves));
    const [idlest] = [...hired].sort(([, a], [, b]) => leftOf(a.owner) - leftOf(b.owner));
    if (idlest === undefined || leftOf(idlest[1].owner) > most) break;
    const [worker, { owner, aliveUntilMs }] = idlest;
    const keys = [...(hands.get(owner)?.keys ?? []), ...open.slice(next, next + waveMax)];
    hands.set(owner, { worker, aliveUntilMs, keys });
    next += waveMax;
  }
  return next > 0;
}

/** Releases products whose answers are in the shared cache, so that askers need not keep them. */
function letGo({ answers, hands }: Slice): void {
  for (const [owner, hand] of hands)
    hands.set(owner, { ...hand, keys: hand.keys.filter((key) => !answers.has(key)) });
}

/**
 * A run that is paused, stopped or stuck ends after the last wave that was sent, because that wave
 * is paid for.
 */
export function awaitAskers(slice: Slice, engine: Engine, unkept: Unkept, end: SliceEnd): SliceEnd {
  const { clock } = slice.platform;
  slice.wanted = 1;
  if (slice.hands.size > 0) tell(slice);
  while (slice.hands.size > 0 && clock.nowMs() < slice.untilMs + LATE_WRITES_MS) {
    sleepUntil(engine, clock.nowMs() + NAP_MS, engine.limits.endMs);
    listen(slice, false);
    gather(slice, engine, unkept);
  }
  return end;
}

/** The products of an asker; undefined: the writer has not noticed it yet. */
type Keys = Hand['keys'] | undefined;

/**
 * Why an asker ended: its time was up, it was no longer needed, or there was no writer to work for.
 */
type AskerEnd = 'time' | 'unwanted' | 'idle';

/**
 * Between two of its calls a writer is absent for a moment; if it is absent for longer than this,
 * there is none.
 */
const WRITERLESS_MS = 10_000;

/** Whether the writer has yet to take in what the previous asker in this place has left. */
function isUnheard({ askers, work }: WorkersReading, worker: number): boolean {
  const left = askers.get(worker);
  return left !== undefined && work?.hands[left.owner] !== undefined;
}

/** Whether time was up before the product was asked for. */
const isUnasked = (answer: Answer): boolean =>
  !answer.ok && answer.failure.kind === 'waiting' && !isOfAll(answer.failure);

function keepAll({ cache, platform }: Engine, entries: ReadonlyMap<string, Entry>): void {
  const answers = [...entries].map(([key, { answer }]) => [key, answer] as const);
  cache.keep(new Map(answers), {}, platform.clock.nowMs());
}

/** By then the start of a run has either acquired it or failed. */
const CLAIM_MS_MAX = 20_000;

/** The record of the run. The first asker may be called before the record exists. */
export function claimedRun(platform: SheetPlatform, store: RunStore, runId: string): Run | null {
  const { clock } = platform;
  const untilMs = clock.nowMs() + CLAIM_MS_MAX;
  let engine: Engine | Failure | undefined;
  for (;;) {
    const run = store.read();
    if (run?.id === runId || clock.nowMs() > untilMs) return run;
    engine ??= openEngine(platform, untilMs);
    if (isFailure(engine)) return run;
    sleepUntil(engine, clock.nowMs() + NAP_MS);
  }
}

function hasTaken(
  { platform, run, store, worker }: Omit<LeaseOptions, 'look'>,
  leaseNow: () => AskerLease,
): boolean {
  const leaseAfter = (before: WorkersReading) => (isUnheard(before, worker) ? null : leaseNow());
  if (run.state !== 'starting')
    return store.take(run.id, worker, platform.clock.nowMs(), leaseAfter) !== null;
  // The start holds the lock, and only the page that began it calls this asker, so nobody else has
  // its place.
  store.tell(run.id, worker, leaseNow());
  return true;
}

/**
 * Compares this clock with those of the other askers between waves, until the difference is known.
 * Only where two or three ask: more of them book often enough for every booking to tell.
 */
function clockLooks(engine: Engine, clock: Clock, beat: ReturnType<typeof heartbeat>) {
  let tookMs = 0;
  return () => {
    const asking = Object.keys(beat.look().work?.hands ?? {}).length;
    const isWorthIt = asking > 1 && asking <= FEW_ASKERS;
    while (isWorthIt && tookMs < CLOCK_LOOKS_MS) {
      const sinceMs = clock.nowMs();
      if (!engine.gate.isClockUnsure()) return;
      sleepUntil(engine, clock.nowMs() + CLOCK_LOOK_MS);
      tookMs += clock.nowMs() - sinceMs;
    }
  };
}

/**
 * Asks for the products that it is handed until it is no longer needed. It never touches the sheet.
 * If the service is down it does not wait but tells the writer.
 */
export function runAsker(options: Omit<LeaseOptions, 'look'>, maxMs: number): AskerEnd {
  const { run, owner, platform, store, worker } = options;
  const { clock } = platform;
  const untilMs = clock.nowMs() + maxMs;
  const meter = waveMeter(clock);
  const answers = new Map<string, Entry>();
  let [calls, nextCallMs, isNews, isBooked] = [0, null as number | null, false, false];
  const leaseNow = (isDone = false): AskerLease => ({
    ...{ owner, isDone, nextCallMs, calls, bucket: mergeBucket('', answers, clock.nowMs()) },
    ...{ aliveUntilMs: meter.aliveUntilMs(), load: meter.load() },
  });
  const look = store.look(run.id, worker);
  const engine = openEngine(platform, untilMs);
  if (isFailure(engine) || worker >= wantedOf(run, look)) return 'unwanted';
  if (!hasTaken(options, leaseNow)) return 'idle';
  const { reading } = engine;
  const beat = heartbeat({ ...options, look });
  let [writerMs, end, hand] = [clock.nowMs(), 'time' as AskerEnd, undefined as Keys];

  /** First sends a booked wave that is due soon, since its products would stay claimed. */
  function leave(why: AskerEnd): void {
    if (isBooked && nextCallMs === null) return;
    end = why;
    throw LEFT;
  }

  function hear(): void {
    const heard = beat.hear(NAP_MS);
    if (heard !== null) leave(heard.kind === 'time' ? 'time' : 'idle');
    const { work, writer } = beat.look();
    if (worker >= wantedOf(run, beat.look())) leave('unwanted');
    if (isAlive(writer, clock.nowMs())) writerMs = clock.nowMs();
    else if (clock.nowMs() > writerMs + WRITERLESS_MS) leave('idle');
    const given = work?.hands[owner]?.keys;
    // The writer took this asker for dead, so others are asking for these products by now.
    if (given === undefined && work !== null && hand !== undefined) leave('idle');
    hand = given ?? hand;
    for (const key of answers.keys()) if (given?.includes(key) === false) answers.delete(key);
  }

  function say(isDone?: boolean): void {
    store.tell(run.id, worker, leaseNow(isDone));
    isNews = false;
    beat.told();
  }

  function hold(more: ReadonlyMap<string, Answer>): void {
    for (const [key, answer] of more) {
      const entry = entryOf(answer, ANALYSIS_KEEP_MS, {}, clock.nowMs(), reading.text);
      if (entry && !isUnasked(answer) && !answers.has(key)) answers.set(key, entry);
    }
    isNews = true;
  }

  const begun = new Set<string>();
  function notBegun(): readonly Product[] {
    const keys = (hand ?? []).filter((key) => !begun.has(key) && !answers.has(key));
    for (const key of keys) begun.add(key);
    return keys.flatMap((key) => productOfKey(key) ?? []);
  }

  const hooks: Hooks = {
    more() {
      isBooked = false;
      if (isNews || beat.isDue(false)) say();
      hear();
      return notBegun();
    },
    betweenWaves: clockLooks(engine, clock, beat),
    keep: hold,
    // The writer looks up the last analyses itself.
    onAnswers: () => undefined,
    onCalls(count) {
      meter.sent();
      calls += count;
      [nextCallMs, isBooked] = [null, false];
    },
    onBooked(dueMs, isGranted) {
      meter.booked(engine.gate.pace());
      [nextCallMs, isBooked] = [longWait(dueMs, clock.nowMs()), isGranted];
    },
    waitsBeyond: (booking) => booking.kind !== 'stopped' || booking.stop.status === undefined,
    asleep() {
      hear();
      if (beat.isDue(false)) say();
    },
  };

  try {
    while (clock.nowMs() < untilMs) {
      hear();
      begun.clear();
      const told = analyze(engine, notBegun(), policyOf(run), hooks);
      hold(told);
      if (told.size > 0 || beat.isDue(false)) say();
      if (told.size === 0) sleepUntil(engine, clock.nowMs() + NAP_MS);
    }
  } catch (error) {
    if (error !== LEFT) throw error;
  } finally {
    // Unclaimed answers go to the cache, where the next asker finds them.
    keepAll(engine, answers);
    say(true);
  }
  return end;
}

/** Thrown through the engine when an asker has to end. */
const LEFT = new Error('left');
