// Parts of what people read about a failure.

import { about } from './about';

/** What the service's operator finds a call by. */
export function theCall(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (call ${requestId})`;
}

export function lastAnswered(ageMs: number): string {
  return `Last answered ${about(ageMs)} ago: add the field age to show it`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}
