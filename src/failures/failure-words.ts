// What is said of a failure: in a cell, as whole sentences, and of many rows that failed in one way.

import {
  type AdviceByDoor,
  adviceOn,
  type Failure,
  rowsWord,
  ruleOf,
  ruleOfKind,
  stopsKey,
} from './failure';

/** Every failure text in a cell begins with this, because people filter and format by it. */
export const FAILURE_PREFIX = 'Not analyzed: ';

/** The request id by which the service's operator finds a call. */
function theCall(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (call ${requestId})`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}

/** Nobody reads more in a cell, although Sheets allows 50,000 characters. */
const CELL_CHARS_MAX = 1_000;

/** The text for a cell: the fixed prefix, what happened, and what to do. */
export function cellText(failure: Failure): string {
  const { text } = ruleOf(failure);
  // All cells say the same about a refused key; a problem with one product names its own call.
  const call = 'requestId' in failure && !stopsKey(failure.kind) ? theCall(failure.requestId) : '';
  const parts = [text(failure) + call, adviceOn(failure, 'cell')];
  return (FAILURE_PREFIX + parts.filter((part) => part).join('. ')).slice(0, CELL_CHARS_MAX);
}

/** What happened and what to do, each as a whole sentence. */
interface Sentences {
  readonly message: string;
  readonly action?: string;
}

const inSentences = (text: string, advice: string): Sentences =>
  advice === ''
    ? { message: sentence(text) }
    : { message: sentence(text), action: sentence(advice) };

/** The same text as separate sentences, for a place outside of the page if it is not named. */
export const sentences = (failure: Failure, door: keyof AdviceByDoor = 'cell'): Sentences =>
  inSentences(ruleOf(failure).text(failure), adviceOn(failure, door));

/** What the page says of `count` rows that failed in one way. */
export function sentencesForMany(kind: string, count: number, market?: string): Sentences {
  const rule = ruleOfKind(kind);
  const { many } = rule ?? {};
  if (rule === undefined || (rule.reasons !== undefined && many === undefined))
    return { message: sentence(`${rowsWord(count)} failed`) };
  // Without the details of one of them.
  const failure = { kind } as Failure;
  const advice = many?.advice?.(count) ?? adviceOn(failure, 'page');
  return inSentences(many?.text(count, market) ?? rule.text(failure), advice);
}
