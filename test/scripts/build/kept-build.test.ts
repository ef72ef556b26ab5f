// What is built once and stays until what it is made of changes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { keep, stampOf } from '../../../scripts/build/kept-build';

const around = mkdtempSync(join(tmpdir(), 'kept-'));
afterAll(() => rmSync(around, { recursive: true }));

it('is made once for a stamp, and anew for another, in place of what was there', async () => {
  const folder = join(around, 'built');
  let made = 0;
  const make = async (outDir: string): Promise<void> => {
    made += 1;
    mkdirSync(outDir);
    writeFileSync(join(outDir, `${made}.txt`), 'built');
  };
  await keep(folder, 'one', make);
  await keep(folder, 'one', make);
  expect(readdirSync(folder)).toEqual(['1.txt']);
  await keep(folder, 'two', make);
  expect(readdirSync(folder)).toEqual(['2.txt']);
  expect(readFileSync(join(folder, '2.txt'), 'utf8')).toBe('built');
  expect(readdirSync(around).sort()).toEqual(['built', 'built.stamp']);
});

it('is stamped with all files it is made of, also those in folders', () => {
  const whole = stampOf(['package.json'], ['scripts/build']);
  expect(stampOf(['package.json'], ['scripts/build'])).toBe(whole);
  expect(stampOf(['package.json'], ['scripts/check'])).not.toBe(whole);
  expect(stampOf([], ['scripts/build'])).not.toBe(whole);
});
