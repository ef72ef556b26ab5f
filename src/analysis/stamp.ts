// Stamps: the texts that a refresh of formulas sets as their refresh argument, so that they are worked out anew.

const PREFIX = 'refreshed ';

/** A stamp tells the hour of its refresh, and nobody else's refresh text begins like it. */
const STAMP = /^refreshed \d{4}-\d\d-\d\d/;

/** @param when tells one refresh from another: "2026-11-21 06:00" */
export const stampText = (when: string): string => PREFIX + when;

export const isStampText = (refresh: unknown): boolean => STAMP.test(String(refresh));
