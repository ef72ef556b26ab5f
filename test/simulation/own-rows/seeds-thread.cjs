// Starts a thread of worlds of people: threads do not inherit the loader of TypeScript.

require('tsx/cjs');
require('./seeds-thread.ts');
