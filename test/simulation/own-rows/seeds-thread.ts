// A thread that plays some worlds of people, tells of each, and at the end what was seen.

import { parentPort, workerData } from 'node:worker_threads';
import { BUILT, distIn } from '../../build-once';
import { playWorlds } from './worlds';

const seen = playWorlds(distIn(BUILT), workerData as readonly number[], () =>
  parentPort?.postMessage('world'),
);
parentPort?.postMessage(seen);
