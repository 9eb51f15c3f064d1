export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/', '<rootDir>/.local/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/run-folder.js',
  globalTeardown: '<rootDir>/test/support/run-folder-gone.js',
  setupFiles: ['<rootDir>/test/support/environment.js'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  // The last resort. Long, because machines may be slow, and do other things beside.
  testTimeout: 900_000,
  // One more than cores, as some suites wait for most of their time.
  maxWorkers: 3,
  // What suites leave behind in a worker slows down all that come after them: a new one takes over.
  workerIdleMemoryLimit: '700MB',
}
