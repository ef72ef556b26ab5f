// The command that judges the host by another project's test suite: what it counts, on a suite of three
// sections in that project's form.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { judge } from '../scripts/peers/main';

const folder = mkdtempSync(join(tmpdir(), 'peers-'));

const SUITE = `
import is from 'somewhere';
import { maketss, first } from './testassist.js';
export const testThings = (pack) => {
  const { unit, fixes } = pack || initTests();
  const toTrash = [];
  unit.section('decided', (t) => {
    const { sheet } = maketss('things', toTrash, fixes);
    toTrash.push(DriveApp.getFileById('x'));
    sheet.getRange('A1:B1').setValues([[1, 'a']]);
    t.deepEqual(sheet.getRange('A1:B1').getValues(), [[1, 'a']]);
    const { actual } = t.is(first(sheet.getRange('A1')), 1, 'a label');
    t.true(is.number(actual));
    t.is(sheet.getRange('A1').getValue(), 2);
    t.rxMatch(t.threw(() => sheet.getRange('no cells'))?.message || 'none', /Range not found/);
    if (SpreadsheetApp.isFake) t.fail('never');
    [1, 2].forEach((n) => {
      t.is(n, 1);
    });
  });
  unit.section('not applicable', (t) => {
    const folder = DriveApp.getRootFolder();
    const { a, b } = folder.getFiles();
    t.is(a, 1);
    t.is(folder.getName(), 'x');
    t.is(PropertiesService.getScriptProperties().getNothing(), 1);
    t.true(true);
  });
  unit.section('after a step that could not be taken', (t) => {
    const { sheet } = maketss('steps', toTrash, fixes);
    sheet.getRange('A1').getDataSourceUrl();
    t.is(sheet.getRange('A1').getValue(), 'linked');
    t.is(sheet.getRange('A1').getValue(), '');
  });
};
testThings();
`;

beforeAll(() => {
  mkdirSync(join(folder, 'test'));
  const write = (name: string, text: string) => writeFileSync(join(folder, 'test', name), text);
  write('testfixes.js', 'export const testFixes = { CLEAN: true };');
  write('testassist.js', 'export const maketss = 1; export const first = (r) => r.getValue();');
  write('testthings.js', SUITE);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('decides each assertion by itself, and counts what the host does not have apart', async () => {
  const { passed, failed, notApplicable, failures } = await judge(folder, 'testthings');
  expect({ passed, failed, notApplicable }).toEqual({ passed: 7, failed: 2, notApplicable: 4 });
  expect(failures.filter(({ left }) => left === undefined)).toEqual([
    { line: 14, reason: '1 instead of 2' },
    { line: 18, reason: '2 instead of 1' },
  ]);
  expect(failures).toContainEqual({
    line: 32,
    reason: 'after Range.getDataSourceUrl is not emulated',
    left: 1,
  });
});
