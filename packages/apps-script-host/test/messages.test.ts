// What the host says in other languages: names stay, and no language is another's copy.

import { describe, expect, it } from '@jest/globals';
import { inWords, LOCALES, messageKinds, say } from '../src/messages';
import { outcomeOf } from './script-host';

const PARTS = ['UrlFetchApp.fetch', 'B12', '500'];

describe('every message', () => {
  it.each(messageKinds())('%s is said in each language, with the same names in it', (kind) => {
    const texts = LOCALES.map((locale) => inWords(say(kind, ...PARTS), locale));
    expect(new Set(texts).size).toBe(LOCALES.length);
    const names = (text: string) => PARTS.filter((part) => text.includes(part));
    for (const text of texts) {
      expect(text).not.toMatch(/[{}]/);
      expect(names(text)).toEqual(names(texts[0] ?? ''));
    }
  });
});

describe('an exception of a service', () => {
  const ann = { userEmail: 'ann@example.com' };
  const options = { locales: { 'ann@example.com': 'pt' } } as const;

  it.each([
    ['refused before it is made', "UrlFetchApp.fetch('https://example.com')", 'LIMITED'],
    ['of the host', "UrlFetchApp.fetch('nowhere')", 'FULL'],
    ['of the half in the script', "MailApp.sendEmail('', 'Subject', 'Text')", 'FULL'],
    ['that comes later', "UrlFetchApp.fetch('https://nobody.example')", 'FULL'],
  ] as const)('is in the language of the account: %s', async (_what, call, authMode) => {
    const code = `function f() { ${call}; }`;
    const said = async (userEmail: string) =>
      (await outcomeOf(code, { userEmail, authMode }, options)).error?.message;
    const [english, portuguese] = [await said('bob@example.com'), await said(ann.userEmail)];
    expect(portuguese).toMatch(/Você|Argumento|Falha|Erro/);
    expect(english).toMatch(/You|argument|Failed|error/);
  });
});
