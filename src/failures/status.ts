// The words of the status column, and what follows from one for its row.

import {
  FAILURE_KINDS,
  type Failure,
  lasts,
  type NamedProduct,
  ruleOf,
  ruleOfKind,
  valueFor,
} from './failure';
import { sentences, sentencesForMany } from './failure-words';

/** The status of a row whose figures are the service's latest answer. */
export const OK_STATUS = 'OK';

/** The status of a row that waits to be asked and has no figures yet. */
export const WAITING_STATUS = 'Waiting';

const NO_ANSWER = 'No answer';

/** What the status column shows for a failure. */
export const failureStatus = (failure: Failure): string =>
  valueFor(ruleOf(failure).word ?? NO_ANSWER, failure);

/** The words that the status column shows for failures of a kind. */
export function statusWords(kind: string): readonly string[] {
  const { word, words } = ruleOfKind(kind) ?? {};
  return words ?? [typeof word === 'string' ? word : NO_ANSWER];
}

/** The kind of failures that a row with this status had; null: several share the word. */
export function kindOfStatus(status: string): string | null {
  const [kind, ...otherKinds] = FAILURE_KINDS.filter((failureKind) =>
    statusWords(failureKind).includes(status),
  );
  return kind === undefined || otherKinds.length > 0 ? null : kind;
}

/** Whether a status says that a row has failed. */
export const isFailureStatus = (status: string): boolean =>
  status !== '' && status !== OK_STATUS && status !== WAITING_STATUS;

/** Whether asking again would give a row with this status the same one. */
export const statusLasts = (status: string): boolean =>
  FAILURE_KINDS.some((kind) => lasts(kind) && statusWords(kind).includes(status));

/** Why the latest try for a row with this status brought no figures, and what to do. */
export function whyOfStatus(status: string, product: NamedProduct | null): string {
  const kind = kindOfStatus(status);
  if (kind === null) return `The last try: “${status}”. Refresh it to try again.`;
  const { message, action } =
    kind === 'not-found' && product !== null
      ? sentences({ kind, product }, 'page')
      : sentencesForMany(kind, 1);
  return [message, action].filter(Boolean).join(' ');
}
