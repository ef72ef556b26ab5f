// What the Schedule page may send, as schemas; built on a call, since cells load this file too.

import * as z from 'zod/mini';
import { FIELDS } from '../analysis/fields';
import { SLICE_MS_MAX } from '../bulk/run-lane';
import { wholeNumber } from '../connection/whole-number';
import { listPlace, upTo } from './bulk-payloads';

/** A year, which is far older than any figure is of use. */
const AGE_HOURS_MAX = 8_760;

/** For rows that are refreshed every hour, by a clock that does not strike to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest allowance of a day. */
const CALLS_MAX = 100_000;

/** What a schedule may mark; a page that sends more is none of ours. */
const RULES_MAX = 10;

/** In words. */
const RULE_CHARS_MAX = 200;

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

const id = () => z.string().check(z.refine((text) => /^[\w-]{1,40}$/.test(text)));
const hour = () => upTo(23);
export const idPayload = () => z.strictObject({ id: id() });

/** Rules in words, as a digest names them. */
export const rulePayload = () =>
  z.strictObject({ rule: z.string().check(z.maxLength(RULE_CHARS_MAX)) });

export const switchPayload = () => z.strictObject({ id: id(), isOn: z.boolean() });

export const runOncePayload = () => z.strictObject({ id: id(), maxMs: wholeNumber(SLICE_MS_MAX) });

export const savePayload = () => z.strictObject({ id: id(), settings: settings() });

const settings = () =>
  z.strictObject({
    task: z.union([z.strictObject({ kind: z.literal('formulas') }), listTask()]),
    recurrence: z.union([
      z.strictObject({ kind: z.literal('hourly') }),
      z.strictObject({ kind: z.enum(['daily', 'weekdays']), hour: hour() }),
      z.strictObject({ kind: z.literal('weekly'), hour: hour(), weekday: upTo(6) }),
      z.strictObject({ kind: z.literal('monthly'), hour: hour(), day: wholeNumber(31) }),
    ]),
    maxAgeHours: z.union([z.literal(AGE_HOURS_MIN), wholeNumber(AGE_HOURS_MAX)]),
    callsPerHour: z.nullable(wholeNumber(CALLS_MAX)),
    quiet: z.nullable(z.strictObject({ fromHour: hour(), toHour: hour() })),
    rules: z.array(rule()).check(z.refine((rules) => rules.length <= RULES_MAX)),
  });

const listTask = () =>
  z.strictObject({
    kind: z.literal('list'),
    ...listPlace(),
    rows: z.enum(['all', 'starred', 'failed']),
    fields: z
      .array(z.enum(FIELDS))
      .check(z.refine((fields) => new Set(fields).size === fields.length)),
    order: z.enum(['stalest', 'starred']),
  });

function rule() {
  const field = z.enum(FIELDS);
  const bound = z.number().check(z.refine((value) => Math.abs(value) <= BOUND_MAX));
  return z.union([
    z.strictObject({ kind: z.literal('no-longer-eligible') }),
    z.strictObject({ kind: z.enum(['fell-under', 'rose-over']), field, bound }),
    z.strictObject({ kind: z.literal('doubled'), field }),
  ]);
}
