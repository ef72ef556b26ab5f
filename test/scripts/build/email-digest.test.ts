// The e-mail digest is a choice of who deploys: without it neither a permission nor a byte of it is there.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildAddOn } from '../../../scripts/build/add-on';

const AUTH = 'https://www.googleapis.com/auth/';
const SCOPES = ['spreadsheets.currentonly', 'script.external_request', 'script.container.ui'];
const USUAL = [...SCOPES, 'script.scriptapp'].map((name) => AUTH + name);
const OF_MAIL = ['script.send_mail', 'userinfo.email'].map((name) => AUTH + name);

/** Names and words that only the mail has. */
const TRACES = /MailApp|getEffectiveUser|send_mail|userinfo|such mail|went wrong last|digest-mail/;

let folder: string;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'email-'));
  await buildAddOn({ outDir: join(folder, 'without'), loopback: false });
  await buildAddOn({ outDir: join(folder, 'with'), loopback: false, emailDigest: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

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
    expect(read('with/Sidebar.html')).toBe(read('without/Sidebar.html'));
  });
});
