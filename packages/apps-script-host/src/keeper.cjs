// Stands between the host and one thread of scripts, because a host that waits hears no events: it
// tells through shared memory that the thread has ended, for example for want of memory.

const { Worker, workerData } = require('node:worker_threads');

const { file, thread, resourceLimits } = workerData;
const { port, signal } = thread;

/** Indexes into `signal`, as in the thread pool. */
const FROM_THREAD = 1;
const ENDING = 2;

const OUT_OF_MEMORY = 1;
const BROKEN = 2;

let ending = BROKEN;
const worker = new Worker(file, {
  workerData: thread,
  transferList: [port],
  resourceLimits,
  execArgv: [],
});
worker.on('error', ({ code }) => {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') ending = OUT_OF_MEMORY;
});
worker.on('exit', () => {
  Atomics.store(signal, ENDING, ending);
  Atomics.add(signal, FROM_THREAD, 1);
  Atomics.notify(signal, FROM_THREAD);
});
