// Cells, runs and people do not wait for each other: worlds of `npm run bench -- laws`, of one seed.

import { expect, it } from '@jest/globals';
import { BESIDE_CASES } from '../../bench/laws/beside-cases';
import { BUILT, distIn } from '../build-once';

const dist = distIn(BUILT);

it.each(['run-300-beside-cells', 'run-300-beside-ranges', 'run-300-beside-decide'])(
  '%s: the run takes its time, cells get their figures, and nobody is refused',
  async (name) => {
    const told = await BESIDE_CASES.find((one) => one.name === name)?.tell(dist, 1);
    const { ratio, waiting, keptOut, refused, errors } = told?.[name] ?? {};
    expect({ keptOut, refused, errors }).toEqual({ keptOut: 0, refused: 0, errors: 0 });
    expect(ratio).toBeLessThanOrEqual(1.3);
    expect(waiting).toBeLessThanOrEqual(2);
  },
  120_000,
);
