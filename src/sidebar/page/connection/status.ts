// The status of the connection in words: the chip at the top, the limit, and how much of a day is
// used.

import type { Quota } from '../../../limit/pace';
import type { ConnectionStatus } from '../../api/connection';
import { momentText } from '../ui/texts';

export type Connected = Extract<ConnectionStatus, { connected: true }>;

/** The connection that the viewer may change; one that somebody else shared can only be used. */
export const ownOf = (status: ConnectionStatus | null): Connected | null =>
  status?.connected && !status.isOthers ? status : null;

export const hostOf = (baseUrl: string): string =>
  baseUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');

// Usage

/** From this share of an allowance on, the page warns; there is still time to act. */
const NEAR_SHARE = 0.8;

export interface Usage {
  /** "312 of 2,000"; only the first number if there is no limit. */
  readonly text: string;
  readonly isNear: boolean;
}

export function usageOf({ usedToday, perDay }: Connected['cellCalls']): Usage {
  const used = usedToday.toLocaleString();
  if (perDay === null) return { text: used, isNear: false };
  const isNear = usedToday >= NEAR_SHARE * perDay;
  return { text: `${used} of ${perDay.toLocaleString()}`, isNear };
}

// The limit

const PERIODS: Readonly<Record<number, { readonly name: string; readonly sign: string }>> = {
  1: { name: 'second', sign: 's' },
  60: { name: 'minute', sign: 'min' },
  3600: { name: 'hour', sign: 'h' },
  86400: { name: 'day', sign: 'day' },
};

export const USUAL_PERIODS_SECONDS = Object.keys(PERIODS).map(Number);

export const periodName = (perSeconds: number): string =>
  PERIODS[perSeconds]?.name ?? `${perSeconds} seconds`;

/**
 * The detected limit once it is certain, stated for the shortest common period that contains a
 * whole call.
 */
function foundLimit({ learned }: Connected): Quota | null {
  if (learned?.sure !== true) return null;
  const { calls, perSeconds } = learned;
  if (USUAL_PERIODS_SECONDS.includes(perSeconds)) return learned;
  const period = USUAL_PERIODS_SECONDS.find((seconds) => calls * seconds >= perSeconds);
  if (period === undefined) return learned;
  return { calls: Math.round((calls * period * 10) / perSeconds) / 10, perSeconds: period };
}

const quotaText = ({ calls, perSeconds }: Quota): string =>
  `${calls.toLocaleString()} per ${periodName(perSeconds)}`;

/** "60 per minute", entered or detected, and whether calls may come together. */
export function limitText(status: Connected): string {
  if (status.quota !== null)
    return quotaText(status.quota) + (status.isOneByOne ? ', one by one as the service asks' : '');
  const found = foundLimit(status);
  if (found !== null) return `Detected: about ${quotaText(found)}`;
  const { learned } = status;
  return learned === undefined ? 'Detecting' : `Detecting, so far ${quotaText(learned)}`;
}

/** For a limit that the service stated: how long it is used. */
export function advertisedText({ learned }: Connected, nowMs: number): string | null {
  if (learned?.toldUntilMs === undefined) return null;
  return `Set by the service. Kept until ${momentText(learned.toldUntilMs, nowMs)}, then detected again.`;
}

// The chip

/**
 * none: no key · good · caution: the limit is unknown or a check failed · bad: no calls are made.
 */
type Tone = 'none' | 'good' | 'caution' | 'bad';

export interface ChipText {
  readonly tone: Tone;
  /** Parts from left to right; the first is shortened if the column is too narrow. */
  readonly parts: readonly string[];
}

interface Trouble {
  /** Why no calls are made with this key. */
  readonly stop: { readonly kind: string } | null;
  readonly hasCheckFailed: boolean;
}

/** How a connected key does: its tone, and the last part of the chip. */
function stateOf(status: Connected, { stop, hasCheckFailed }: Trouble): readonly [Tone, string] {
  if (stop !== null) return ['bad', stop.kind === 'key-refused' ? 'refused' : 'stopped'];
  const limit = status.quota ?? foundLimit(status);
  if (limit === null) return ['caution', 'detecting'];
  if (hasCheckFailed) return ['caution', 'check failed'];
  if (usageOf(status.cellCalls).isNear) return ['caution', 'near a limit'];
  const sign = PERIODS[limit.perSeconds]?.sign ?? periodName(limit.perSeconds);
  const about = status.quota === null ? 'about ' : '';
  return ['good', `${about}${limit.calls.toLocaleString()}/${sign}`];
}

export function chipOf(status: ConnectionStatus, trouble: Trouble): ChipText {
  if (!status.connected)
    return { tone: 'none', parts: [status.demo ? 'Samples, no key' : 'No key connected'] };
  const [tone, last] = stateOf(status, trouble);
  return { tone, parts: [hostOf(status.baseUrl), status.keyMask, last] };
}
