// The page of what is here is the code's own: written anew, it is the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { coveragePage } from '../scripts/coverage';

it('COVERAGE.md says what the code has; npm run coverage -w apps-script-host writes it', () => {
  const written = readFileSync(join(__dirname, '../COVERAGE.md'), 'utf8');
  expect(written).toBe(coveragePage());
  expect(written).toMatch(/\| UrlFetchApp \| 3 of 3 \| fetch, fetchAll, getRequest \| – \|/);
});
