// Starts a thread of the bench: threads do not inherit the loader of TypeScript.

require('tsx/cjs');
require('./run-thread.ts');
