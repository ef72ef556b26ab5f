// Session as the host emulates it: an address only with its scope, the locale of each account.

import { expect, it } from '@jest/globals';
import { manifestWith, outcomeOf, resultOf } from '../script-host';

const ask = 'function f() { return Session.getActiveUser().getEmail(); }';

it('tells the address of who is at the keyboard where the manifest asks for it', async () => {
  const manifest = manifestWith(['https://www.googleapis.com/auth/userinfo.email']);
  const dist = { code: ask, html: {}, manifest };
  const ann = { userEmail: 'ann@example.com' };
  expect(await resultOf(ask, ann, { dist })).toBe('ann@example.com');
  expect((await outcomeOf(ask, { ...ann, door: 'cell' }, { dist })).error?.message).toContain(
    'You do not have permission to call Session.getActiveUser',
  );
});

it('does not tell it otherwise', async () => {
  expect((await outcomeOf(ask)).error?.message).toContain(
    'Specified permissions are not sufficient to call Session.getActiveUser',
  );
});

it('tells the locale everywhere, also in a cell', async () => {
  const code = 'function f() { return Session.getActiveUserLocale(); }';
  expect(await resultOf(code, { door: 'cell' })).toBe('en');
  const locales = { 'ann@example.com': 'ja' } as const;
  const ann = { door: 'cell', userEmail: 'ann@example.com' } as const;
  expect(await resultOf(code, ann, { locales })).toBe('ja');
});

it('gives each person a key of their own, without any scope, and is that address as a text', async () => {
  const code = 'function f() { return Session.getTemporaryActiveUserKey(); }';
  const [ann, again, bob] = await Promise.all(
    ['ann', 'ann', 'bob'].map((name) => resultOf(code, { userEmail: `${name}@example.com` })),
  );
  expect(ann).toBe(again);
  expect(ann).not.toBe(bob);
  const text = 'function f() { return String(Session.getEffectiveUser()); }';
  const manifest = manifestWith(['https://www.googleapis.com/auth/userinfo.email']);
  const dist = { code: text, html: {}, manifest };
  expect(await resultOf(text, { userEmail: 'ann@example.com' }, { dist })).toBe('ann@example.com');
});
