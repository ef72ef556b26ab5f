// How Google refuses a call that somebody's rights do not cover, told by its words: there are no codes.

export type Refusal =
  /** The person has not granted the add-on what the call needs. */
  | 'not-permitted'
  /** The person may not edit these cells. */
  | 'protected'
  /** The person's scripts have done all that Google allows in a day. */
  | 'google-limit';

const WORDS: readonly (readonly [RegExp, Refusal])[] = [
  [/(for|in) one day/i, 'google-limit'],
  [/protected (cell|range|sheet|object)|protected cells or objects/i, 'protected'],
  [
    /permissions? (are|is) not sufficient|not have permission|authori[sz]ation is required/i,
    'not-permitted',
  ],
];

export function refusalOf(error: unknown): Refusal | undefined {
  const message = error instanceof Error ? error.message : String(error);
  return WORDS.find(([words]) => words.test(message))?.[1];
}
