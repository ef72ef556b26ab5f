// Runs the simple trigger onEdit for one edit after the other, and drops those that come too fast.

export interface EditQueueOptions {
  readonly start: (
    documentId: string,
    event: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
  /** Called for an edit of which onEdit is never told. */
  readonly dropped: (documentId: string) => void;
}

/** Guide of simple triggers: "The onEdit() trigger only queues up to 2 trigger events." */
const WAITING_MAX = 2;

export function createEditQueue({ start, dropped }: EditQueueOptions) {
  const waiting = new Map<string, Readonly<Record<string, unknown>>[]>();
  const next = (documentId: string): void => {
    const event = waiting.get(documentId)?.shift();
    if (event === undefined) waiting.delete(documentId);
    else void start(documentId, event).then(() => next(documentId));
  };
  return {
    add: (documentId: string, event: Readonly<Record<string, unknown>>): void => {
      const queue = waiting.get(documentId);
      if (queue === undefined) {
        waiting.set(documentId, [event]);
        next(documentId);
      } else if (queue.length < WAITING_MAX) queue.push(event);
      else dropped(documentId);
    },
  };
}
