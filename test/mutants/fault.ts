// A fault: one slip in the source, in words, and the narrowest tests that must notice it. Pure.
import { createHash } from 'node:crypto';

export const AREAS = [
  ...(['limit', 'cache', 'engine', 'jobs', 'list', 'schedules', 'formulas', 'analysis'] as const),
  ...(['sheet', 'connection', 'service', 'sidebar/api', 'google'] as const),
  ...(['product', 'failures', 'functions', 'triggers', 'deal', 'sidebar', 'playground'] as const),
] as const;

export type Area = (typeof AREAS)[number];

/** A text that occurs once in a file, and what stands there instead. */
export interface Slip {
  readonly from: string;
  readonly to: string;
}

export interface Fault extends Slip {
  /** In the folder of the area. */
  readonly file: string;
  /** What it means to people, in plain words. */
  readonly words: string;
  /** Files from `test/` on, the fastest that must fail. */
  readonly tests: readonly string[];
  /** Of their tests only those whose full name fits, where a file takes long. */
  readonly named?: string;
  /** Where two checks stand behind each other: the other one, in the same file. */
  readonly also?: Slip;
}

export interface PlacedFault extends Fault {
  readonly area: Area;
}

/** All are folders of `src/`, but for the one beside it. */
export const pathOf = ({ area, file }: PlacedFault): string =>
  area === 'playground' ? `${area}/${file}` : `src/${area}/${file}`;

export const testPathsOf = ({ tests }: Fault): readonly string[] =>
  tests.map((test) => `test/${test}`);

/** How often a text occurs in another. */
const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** The source with the fault, or why it cannot be put in. */
export function faultyText(fault: PlacedFault, source: string): string | { readonly why: string } {
  let text = source;
  for (const { from, to } of [fault, ...(fault.also ? [fault.also] : [])]) {
    const count = countOf(text, from);
    if (count !== 1) return { why: `${pathOf(fault)} has ${count} times, and not once: ${from}` };
    text = text.split(from).join(to);
  }
  return text;
}

export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);

/** Names a fault for as long as neither it nor its file nor its tests change. */
export const rememberedAs = (fault: PlacedFault, read: (path: string) => string): string =>
  hashOf([JSON.stringify(fault), ...[pathOf(fault), ...testPathsOf(fault)].map(read)]);
