// How the tests run: TypeScript through swc, nothing retried and nothing mocked.
const { randomInt } = require('node:crypto');
const { LONG_TESTS, SAMPLED_TESTS } = require('./test/long-tests.cjs');

/** The part of `npm run test:all` that `npm test` leaves out: long files, and whole what it takes samples of. */
const isRest = process.env.TESTS === 'rest';
/** Files that are named run whole, long or not: for `npm run mutants` and `npm run test:watch`. */
const isByPath = process.argv.includes('--runTestsByPath');
if (isRest || isByPath) process.env.SAMPLE = 'whole';
process.env.SAMPLE_SEED ??= String(randomInt(1e6));

const asPattern = (part) => part.replaceAll('.', '\\.');

module.exports = {
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testRegex: isRest ? [...LONG_TESTS, ...SAMPLED_TESTS].map(asPattern) : '\\.test\\.ts$',
  testPathIgnorePatterns: isRest || isByPath ? [] : LONG_TESTS.map(asPattern),
  transform: {
    '^.+\\.tsx?$|/preact/.+\\.mjs$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
          target: 'es2022',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Preact is published as modules alone.
  transformIgnorePatterns: ['/node_modules/(?!preact/)'],
  // What the build writes into the page.
  globals: { __VERSION__: '1' },
  globalSetup: '<rootDir>/test/before-all.ts',
  globalTeardown: '<rootDir>/test/after-all.ts',
  testEnvironment: '<rootDir>/test/plain-environment.cjs',
  testSequencer: '<rootDir>/test/longest-first.cjs',
  // One more than cores: whoever waits for a browser or a child process leaves its core to another.
  maxWorkers: 3,
  // Four times what an idle machine needs for the longest: thirty threads, browsers, deployments.
  testTimeout: 300_000,
};
