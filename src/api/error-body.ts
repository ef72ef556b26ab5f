// Reads the words out of an error body, whatever its shape, without ever letting the key through.

import { textWithoutKey } from './without-key';

/** Enough to recognise a problem by, short enough for a cell. */
const EXCERPT_CHARS = 120;

/** Enough to know a problem by; a body may be a hundred times as long. */
const WORDS_CHARS_MAX = 2_000;

/** How deep into an error body words are looked for: `{errors: [{detail: …}]}` is three. */
const DEPTH_MAX = 4;

/** Members that carry words for people, best first, in every error shape services are known to use. */
const WORD_MEMBERS = [
  ...['message', 'detail', 'details', 'title', 'error_description', 'errorMsg', 'msg', 'reason'],
  ...['error', 'errors', 'code', 'type'],
];

/** What stands beside words and says no more than they do. */
const BESIDE_WORDS = ['status', 'statuscode', 'success', 'ok', 'request_id', 'requestid'];

/** Whether a body has words for people and nothing else: no analysis, whatever its status says. */
export function isWordsAlone(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const names = Object.entries(json).flatMap(([name, value]) => (value === null ? [] : [name]));
  const known = [...WORD_MEMBERS, ...BESIDE_WORDS].map((name) => name.toLowerCase());
  return (
    names.some((name) => WORD_MEMBERS.includes(name)) &&
    names.every((name) => known.includes(name.toLowerCase()))
  );
}

/**
 * All text in the body that may say what is wrong, best first, cut between two words: half a word
 * could be the beginning of the key, which nobody would know for it.
 */
export function errorWords(json: unknown, text: string): string {
  const words = json === undefined ? [isHtml(text) ? '' : text] : wordsIn(json, DEPTH_MAX);
  const all = words.join(' ').replace(/\s+/g, ' ').trim();
  return all.length > WORDS_CHARS_MAX ? all.slice(0, WORDS_CHARS_MAX).replace(/\S*$/, '') : all;
}

function wordsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
  const members = new Map(Object.entries(value));
  const known = WORD_MEMBERS.filter((name) => members.has(name));
  if (known.length > 0) return known.flatMap((name) => wordsIn(members.get(name), depth - 1));
  return depth === DEPTH_MAX
    ? []
    : [...members.values()].slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
}

export function isHtml(text: string): boolean {
  return /^\s*(<!doctype|<html|<head|<body|<\?xml)/i.test(text);
}

/** The beginning of the words, fit to be shown: no key, no markup, no control characters. */
export function excerptOf(words: string, apiKey: string): string {
  const shown = textWithoutKey(words, apiKey)
    .replace(/Bearer\s+\S+/gi, 'Bearer …')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\P{C}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > EXCERPT_CHARS ? `${shown.slice(0, EXCERPT_CHARS - 1)}…` : shown;
}
