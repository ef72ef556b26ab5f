// Counts calls with their reasons and firings with their time, by person and day.

import type { Firing } from 'apps-script-host/inline/inline-host';
import type { Call } from '../service';
import type { Meter } from './meter';
import { COLLECTOR, OWN_MAX_AGE_HOURS, PEOPLE, QUOTA } from './plan';
import type { Acting, EnduranceWorld } from './world';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The answers of a firing that was cut off before it saved them: about sixty, and a wave. */
const UNSAVED_MAX = 60 + QUOTA.burst;

/**
 * Idle firings of different weeks are compared; those of the first week create things that are
 * created only once.
 */
const WEEK_MS = 7 * DAY_MS;

/** All lists and formulas are of this market. */
const usProduct = (asin: string) => `${asin}|US`;

export interface Books {
  readonly onCall: (call: Call, acting: Acting | null) => void;
  readonly onFired: (firing: Firing) => void;
  /** Adds a product to a list in which answers of that age are good enough. */
  readonly keeps: (asin: string, maxAgeHours: number) => void;
  /**
   * Notes whose run was left to their clock, which asks for what they chose, however new its
   * answers are; null: nobody's.
   */
  readonly leaves: (userEmail: string | null) => void;
  /** Marks work in tabs without a schedule, whose answers no row of a list shows. */
  readonly elsewhere: (act: () => Promise<void>) => Promise<void>;
  /** Adds up what can be known only at the end. */
  readonly sum: (startMs: number, endMs: number) => void;
}

export function createBooks(meter: Meter, world: () => EnduranceWorld): Books {
  const maxAgesMs = new Map<string, number>();
  /** When each product of a list was last answered. */
  const asked = new Map<string, number>();
  /** With whose key a product was last answered: its row shows what that key got, and nobody else's. */
  const shown = new Map<string, string>();
  const counts = new Map<string, number>();
  const idle: { readonly atMs: number; readonly calls: number }[] = [];
  /** For each firing that was cut off, the products that may be asked for once more. */
  const cutOff: Set<string>[] = [];
  /** The products of the current firing, in order. */
  let askedNow: string[] = [];
  let isElsewhere = false;
  let leaver: string | null = null;
  const add = (name: string, more = 1): number => {
    const count = (counts.get(name) ?? 0) + more;
    counts.set(name, count);
    return count;
  };

  /** Answers belong to their key, and in the collector's spreadsheets to one of them. */
  const placeOf = ({ product, key }: Call, acting: Acting | null): string =>
    `${acting?.userEmail === PEOPLE[COLLECTOR] ? 'own' : ''} ${product} ${key}`;

  /** A call has no reason if a recent enough answer is known, and its row shows that of this key. */
  function hasReason(call: Call, place: string): boolean {
    const isOwn = place.startsWith('own');
    if (!isOwn && shown.get(call.product) !== call.key) return true;
    const maxAgeMs = isOwn ? OWN_MAX_AGE_HOURS * HOUR_MS : (maxAgesMs.get(call.product) ?? 0);
    return call.atMs - (asked.get(place) ?? Number.NEGATIVE_INFINITY) >= maxAgeMs;
  }

  function noteUse(userEmail: string): void {
    const { properties, urlFetch } = world().host.stores;
    meter.note('calls of a person in a day', urlFetch.requestsToday(userEmail), userEmail);
    meter.note('property calls of a person in a day', properties.callsToday(userEmail), userEmail);
  }

  /** Only products of a firing that was cut off may be asked for once more. */
  function noteAgain(asin: string): void {
    add('without a reason');
    const cut = cutOff.find((asins) => asins.delete(asin));
    if (cut === undefined) meter.note('calls without a reason beyond those', add('beyond'), asin);
  }

  return {
    keeps(asin, hours) {
      maxAgesMs.set(usProduct(asin), hours * HOUR_MS);
    },
    leaves(userEmail) {
      leaver = userEmail;
    },
    async elsewhere(act) {
      isElsewhere = true;
      await act();
      isElsewhere = false;
    },
    onCall(call, acting) {
      const what = acting?.what ?? 'person';
      meter.note('calls', add('calls'));
      meter.note(`calls: ${what}`, add(`calls: ${what}`));
      if (call.status === 429)
        meter.note('calls that the service refused', add('refused'), `${call.key} ${what}`);
      const place = placeOf(call, acting);
      const isLeft = acting !== null && acting.userEmail === leaver;
      if (what === 'schedule' && !isLeft && !hasReason(call, place)) noteAgain(call.product);
      if (what === 'schedule') askedNow.push(call.product);
      if (!call.isSettled || (what !== 'schedule' && isElsewhere)) return;
      asked.set(place, call.atMs);
      if (!place.startsWith('own')) shown.set(call.product, call.key);
    },
    onFired({ execution, startedMs, end }) {
      const userEmail = execution.userEmail ?? '';
      const endedMs = world().host.nowMs();
      const name = `${userEmail} ${Math.floor(startedMs / DAY_MS)}`;
      const minutes = (endedMs - startedMs) / MINUTE_MS;
      meter.note('firings', add('firings'));
      meter.note('minutes of a firing', minutes, userEmail);
      meter.note('minutes of triggers of a person in a day', add(name, minutes), userEmail);
      noteUse(userEmail);
      const asins = askedNow;
      askedNow = [];
      if (end?.ended === 'killed') {
        const unsaved = new Set(asins.slice(-UNSAVED_MAX));
        cutOff.push(unsaved);
        meter.note('calls that cut-off firings may make again', add('unsaved', unsaved.size));
      }
      if (end?.ended === 'returned' && asins.length > 0 && userEmail === leaver) leaver = null;
      if (end?.ended === 'killed') meter.note('firings cut off', add('cut off'));
      else if (end?.ended !== 'returned')
        meter.note('firings that failed', add('failed'), end?.ended);
      else if (end.logs.some((line) => line.includes('nothing to do')))
        idle.push({ atMs: startedMs, calls: end.serviceCalls });
    },
    sum(startMs, endMs) {
      const within = (fromMs: number, toMs: number) => {
        const some = idle.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
        return some.reduce((sum, { calls }) => sum + calls, 0) / Math.max(1, some.length);
      };
      const weekMs = Math.min(WEEK_MS, (endMs - startMs) / 3);
      const first = within(startMs + weekMs, startMs + 2 * weekMs);
      const last = within(endMs - weekMs, endMs);
      meter.note('service calls of an idle firing in an early week', first);
      meter.note('service calls of an idle firing in the last week', last);
      meter.note('growth of an idle firing', last / Math.max(1, first));
      meter.note('calls without a reason', counts.get('without a reason') ?? 0);
    },
  };
}
