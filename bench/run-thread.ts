// A thread of the bench: measures one run after the other, each in a world of its own.

import { parentPort, workerData } from 'node:worker_threads';
import type { Bundles } from './bundles';
import { GATE } from './gate/gate-table';
import type { Run, ThreadReply } from './runs';

const bundles = workerData as Bundles;

async function tell({ scenario, strategy, seed }: Run): Promise<ThreadReply> {
  try {
    const told = GATE[scenario];
    if (told === undefined) throw new Error('There is no such scenario.');
    return { figures: await told.tell({ bundles, seed, strategy }) };
  } catch (error) {
    return { problem: String(error instanceof Error ? error.stack : error) };
  }
}

parentPort?.on('message', (run: Run) => {
  void tell(run).then((reply) => parentPort?.postMessage(reply));
});
