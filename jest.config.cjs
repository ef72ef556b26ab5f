// How the tests run: TypeScript through swc, one worker per core, nothing retried and nothing mocked.
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2022' },
        module: { type: 'commonjs' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/build-once.ts',
  testEnvironment: 'node',
  maxWorkers: 2,
  // Thirty executions in threads of their own take seconds on a small machine, browsers longer.
  testTimeout: 60_000,
};
