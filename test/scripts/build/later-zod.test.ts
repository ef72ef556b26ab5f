// zod in a bundle: there when it is called for, and not before.

import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { laterZod } from '../../../scripts/build/later-zod';

const ROOT = resolve(__dirname, '../../..');

/** zod hangs its configuration on the global object when it is loaded. */
const IS_LOADED = "'__zod_globalConfig' in globalThis";

it('is loaded by the first check, and checks as it always does', async () => {
  const contents = `
    import * as z from 'zod/mini';
    const isText = (value) => typeof value === 'string';
    const isFlag = (value) => typeof value === 'boolean';
    export const check = (value) =>
      z.safeParse(z.strictObject({ id: z.custom(isText), on: z.exactOptional(z.custom(isFlag)) }), value);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'made' },
    plugins: [laterZod(ROOT)],
  });
  const context = createContext({});
  const run = (text: string): unknown => runInContext(text, context);
  run(outputFiles[0]?.text ?? '');
  expect(run(IS_LOADED)).toBe(false);
  expect(run("made.check({ id: 'a', on: true }).success")).toBe(true);
  expect(run(IS_LOADED)).toBe(true);
  expect(run("made.check({ id: 'a', on: undefined }).success")).toBe(false);
  expect(run('made.check({ id: 1 }).error.issues[0].path[0]')).toBe('id');
});
