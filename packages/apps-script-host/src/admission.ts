// Decides which executions may start now under Google's limits per user and per script. Cells wait
// for their turn; everything else is refused.

import type { HostLimits } from './limits';

export interface Candidate {
  readonly userEmail: string;
  readonly isCell: boolean;
  readonly admit: () => void;
  readonly refuse: (limit: 'executionsPerUser' | 'executionsPerScript') => void;
}

export interface Admission {
  readonly apply: (candidate: Candidate) => void;
  /** Tells the queue that an admitted execution has ended. */
  readonly leave: (candidate: Candidate) => void;
}

interface Running {
  all: number;
  cells: number;
}

export function createAdmission(limits: HostLimits): Admission {
  const users = new Map<string, Running>();
  const queues = new Map<string, Candidate[]>();
  let inScript = 0;

  const runningOf = (userEmail: string): Running => {
    const running = users.get(userEmail) ?? { all: 0, cells: 0 };
    users.set(userEmail, running);
    return running;
  };
  const hasRoom = ({ userEmail, isCell }: Candidate) => {
    const { all, cells } = runningOf(userEmail);
    if (inScript >= limits.executionsPerScript || all >= limits.executionsPerUser) return false;
    return !isCell || cells < limits.cellsAtOnce;
  };
  const limitOf = ({ userEmail }: Candidate) =>
    runningOf(userEmail).all >= limits.executionsPerUser
      ? 'executionsPerUser'
      : 'executionsPerScript';
  const count = ({ userEmail, isCell }: Candidate, change: 1 | -1) => {
    const running = runningOf(userEmail);
    running.all += change;
    if (isCell) running.cells += change;
    inScript += change;
  };
  const admit = (candidate: Candidate) => {
    count(candidate, 1);
    candidate.admit();
  };
  /** The spreadsheet starts waiting cells in the order in which they asked, one queue per user. */
  const startWaiting = () => {
    for (const queue of queues.values()) {
      let next = queue[0];
      while (next && hasRoom(next)) {
        queue.shift();
        admit(next);
        next = queue[0];
      }
    }
  };
  const wait = (candidate: Candidate, queue: Candidate[]) => {
    queue.push(candidate);
    queues.set(candidate.userEmail, queue);
  };
  return {
    apply(candidate) {
      const queue = queues.get(candidate.userEmail) ?? [];
      if (hasRoom(candidate) && !(candidate.isCell && queue.length > 0)) admit(candidate);
      else if (candidate.isCell) wait(candidate, queue);
      else candidate.refuse(limitOf(candidate));
    },
    leave(candidate) {
      count(candidate, -1);
      startWaiting();
    },
  };
}
