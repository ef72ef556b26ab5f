// What stands in for zod in Code.js says of every value what zod says.

import { expect, it } from '@jest/globals';
import { createRandom, type Random } from 'apps-script-host/random';
import * as zod from 'zod/mini';
import * as standIn from '../../../scripts/build/zod-stand-in';

const CHECKS: readonly ((sent: unknown) => unknown)[] = [
  (sent) => typeof sent === 'string',
  (sent) => Number.isInteger(sent),
  (sent) => sent === true,
  (sent) => Array.isArray(sent) && sent.length < 2,
  (sent) => sent === null,
];
const VALUES = ['', 'a', 0, 1.5, -1, true, false, null, undefined, [], ['a', 'b'], {}, { a: 1 }];
const NAMES = ['a', 'b', 'id', 'length', 'toString', 'constructor'];

/** The same schema, in zod's words and in those of its stand-in. */
interface Pair {
  readonly ours: Parameters<typeof standIn.safeParse>[0];
  readonly zods: zod.ZodMiniType;
}

function anySchema(random: Random, depth: number): Pair {
  if (depth === 0 || random.chance(0.3)) {
    const check = random.pick(CHECKS);
    return { ours: standIn.custom(check), zods: zod.custom(check) };
  }
  const members = NAMES.filter(() => random.chance(0.4)).map((name) => {
    const { ours, zods } = anySchema(random, depth - 1);
    return random.chance(0.4)
      ? { name, ours: standIn.exactOptional(ours), zods: zod.exactOptional(zods) }
      : { name, ours, zods };
  });
  const [ours, zods] = random.pick([
    [standIn.strictObject, zod.strictObject],
    [standIn.looseObject, zod.looseObject],
  ] as const);
  return {
    ours: ours(Object.fromEntries(members.map(({ name, ours }) => [name, ours]))),
    zods: zods(Object.fromEntries(members.map(({ name, zods }) => [name, zods]))),
  };
}

function anyValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.2)) return random.pick(VALUES);
  const names = NAMES.filter(() => random.chance(0.4));
  return Object.fromEntries(names.map((name) => [name, anyValue(random, depth - 1)]));
}

/** A value that the schema takes, as far as a few hundred tries find one: members are made to fit in turn. */
function fitting(random: Random, { zods }: Pair): unknown {
  let best: unknown = {};
  for (let tries = 0; tries < 300; tries += 1) {
    const result = zod.safeParse(zods, best);
    if (result.success) return best;
    const path = result.error.issues[0]?.path.map(String) ?? [];
    best = withValue(best, path, random.chance(0.3) ? {} : random.pick(VALUES));
  }
  return best;
}

function withValue(held: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const members = new Map(Object.entries(Object(held)));
  return Object.fromEntries(members.set(name, withValue(members.get(name), rest, value)));
}

const verdictOf = (
  result: ReturnType<typeof zod.safeParse> | ReturnType<typeof standIn.safeParse>,
) =>
  result.success
    ? { data: result.data }
    : { path: result.error?.issues[0]?.path.map(String) ?? 'none' };

it('takes and refuses what zod does, and names the same member', () => {
  const random = createRandom(20261123);
  let taken = 0;
  for (let round = 0; round < 4000; round += 1) {
    const schema = anySchema(random, 3);
    for (const value of [anyValue(random, 3), fitting(random, schema)]) {
      const ours = verdictOf(standIn.safeParse(schema.ours, value));
      expect({ value, ...ours }).toEqual({
        value,
        ...verdictOf(zod.safeParse(schema.zods, value)),
      });
      if ('data' in ours) taken += 1;
    }
  }
  expect(taken).toBeGreaterThan(1500);
});
