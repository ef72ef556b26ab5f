// The e-mail digest is a choice of who deploys: without it neither a permission nor a byte of it is there.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BUILT, built } from '../../build-once';

const AUTH = 'https://www.googleapis.com/auth/';
const SCOPES = ['spreadsheets.currentonly', 'script.external_request', 'script.container.ui'];
const USUAL = [...SCOPES, 'script.scriptapp'].map((name) => AUTH + name);
const OF_MAIL = ['script.send_mail', 'userinfo.email'].map((name) => AUTH + name);

/** Names and words that only the mail has. */
const TRACES = /MailApp|getEffectiveUser|send_mail|userinfo|such mail|went wrong last|digest-mail/;

let withIt: string;
const read = (name: string) => {
  const [which = '', file = ''] = name.split('/');
  return readFileSync(join(which === 'with' ? withIt : BUILT, file), 'utf8');
};

beforeAll(async () => {
  withIt = built('mail');
});

describe('a build', () => {
  it('asks for nothing more than the four permissions, and has no trace of mail', () => {
    expect(JSON.parse(read('without/appsscript.json')).oauthScopes.sort()).toEqual(USUAL.sort());
    expect(TRACES.exec(read('without/Code.js'))).toBeNull();
  });

  it('with the e-mail digest asks for two more, and is else the same', () => {
    const { oauthScopes, ...rest } = JSON.parse(read('with/appsscript.json'));
    expect(oauthScopes.sort()).toEqual([...USUAL, ...OF_MAIL].sort());
    expect(read('with/Code.js')).toContain('MailApp.sendEmail');
    const { oauthScopes: _, ...usual } = JSON.parse(read('without/appsscript.json'));
    expect(rest).toEqual(usual);
    for (const name of ['Diagnostics.html', 'Sidebar.html'])
      expect(read(`with/${name}`)).toBe(read(`without/${name}`));
  });
});
