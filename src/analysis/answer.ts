// An answer: for one product either its analysis or the failure that stands in its place.

import type { Analysis } from './analysis';
import type { Failure } from './failure';

export type Answer =
  | { readonly ok: true; readonly analysis: Analysis }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** What the service said last, where the failure will pass. */
      readonly last?: Analysis;
    };

export const answered = (analysis: Analysis): Answer => ({ ok: true, analysis });
export const unanswered = (failure: Failure): Answer => ({ ok: false, failure });

/** What a caller demands of an answer that is already there. */
export interface Freshness {
  /** Nothing fetched before this moment will do. */
  readonly notBeforeMs?: number;
  /** Any text; an answer asked under another one will not do. */
  readonly tag?: string;
}
