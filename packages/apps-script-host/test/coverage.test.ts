// What is here and what is not is the code's own: written anew, it is the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { coveragePage, found, googleMembers } from '../scripts/coverage';

it('the code has what COVERAGE.md and the host itself say; npm run coverage -w apps-script-host writes it', () => {
  const read = (name: string) => readFileSync(join(__dirname, '..', name), 'utf8');
  const all = found();
  const page = read('COVERAGE.md');
  expect(page).toBe(coveragePage(all));
  expect(page).toMatch(/\| UrlFetchApp \| 3 of 3 \| fetch, fetchAll, getRequest \| – \|/);
  expect(read('src/realm/google-members.ts')).toBe(googleMembers(all));
});
