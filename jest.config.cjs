// How the tests run: TypeScript through swc, nothing retried and nothing mocked.
module.exports = {
  roots: ['<rootDir>/test', '<rootDir>/packages'],
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
  testEnvironment: '<rootDir>/test/plain-environment.cjs',
  testSequencer: '<rootDir>/test/longest-first.cjs',
  // One more than cores: whoever waits for a browser or a child process leaves its core to another.
  maxWorkers: 3,
  // Four times what an idle machine needs for the longest: thirty threads, browsers, deployments.
  testTimeout: 300_000,
};
