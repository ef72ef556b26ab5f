// Which tests `npm run test:watch` runs for a saved file.
import { expect, it } from '@jest/globals';
import { ALL_FAULTS } from './mutants/all-faults';
import { pathOf, testPathsOf } from './mutants/fault';
import { testsFor } from './watch';

it('runs a test that was saved', () => {
  expect(testsFor('test/watch.test.ts')).toEqual(['test/watch.test.ts']);
  expect(testsFor('test/deleted.test.ts')).toEqual([]);
});

it('runs the tests that import a file, and those that bear its name', () => {
  expect(testsFor('src/product/asin.ts')).toContain('test/product/asin.test.ts');
  expect(testsFor('src/product/cell-text.ts')).toContain('test/product/asin.test.ts');
  expect(testsFor('src/sidebar/menu.ts')).not.toContain('test/product/asin.test.ts');
});

it('runs the tests through doors that have to notice a fault in it', () => {
  for (const fault of ALL_FAULTS.slice(0, 5))
    expect(testsFor(pathOf(fault))).toEqual(expect.arrayContaining([...testPathsOf(fault)]));
});
