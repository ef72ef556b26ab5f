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
  // Four times what an idle machine needs for the longest: thirty threads, browsers, deployments.
  testTimeout: 300_000,
};
