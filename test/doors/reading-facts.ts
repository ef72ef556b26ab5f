// How answers are read, taken out of a reply of the page's methods.

import { expect } from '@jest/globals';
import type { ReadingFacts } from '../../src/sidebar/api/check';

type Part<Name extends keyof ReadingFacts> = ReadingFacts[Name];

/** Fails where a reply has no facts, and leaves out whatever else it has. */
export function factsIn(value: Readonly<Record<string, unknown>> = {}): ReadingFacts {
  const { settings, found, reasons, observations } = value;
  for (const part of [settings, found, reasons]) expect(part).toEqual(expect.any(Object));
  expect(Array.isArray(observations)).toBe(true);
  return {
    settings: settings as Part<'settings'>,
    found: found as Part<'found'>,
    reasons: reasons as Part<'reasons'>,
    observations: observations as Part<'observations'>,
  };
}
