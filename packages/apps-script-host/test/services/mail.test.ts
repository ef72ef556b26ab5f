// MailApp as the host emulates it: mail goes out as whoever the script runs as, only with the scope, 100 a day.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Host } from '../../src/host';
import { hostOf, manifestWith, outcomeOf, resultOf } from '../script-host';

const MANIFEST = manifestWith([
  'https://www.googleapis.com/auth/script.send_mail',
  'https://www.googleapis.com/auth/userinfo.email',
]);
const distOf = (code: string) => ({ code, html: {}, manifest: MANIFEST });
const body = (text: string) => `function f() { ${text} }`;

const errorOf = async (text: string) =>
  (await outcomeOf('', {}, { dist: distOf(body(text)) })).error?.message;

let host: Host | undefined;
afterEach(() => host?.stop());

describe('MailApp', () => {
  it('sends as the person whose trigger it is', async () => {
    const code = body(
      "MailApp.sendEmail(Session.getEffectiveUser().getEmail(), 'Hello', 'Plain text');",
    );
    host = hostOf(code, { dist: distOf(code) });
    const ann = {
      functionName: 'f',
      args: [],
      door: 'clock',
      userEmail: 'ann@example.com',
    } as const;
    host.start(ann);
    await host.run();
    expect(host.stores.mail.sent()).toEqual([
      {
        ...{ from: 'ann@example.com', to: 'ann@example.com', cc: '', bcc: '' },
        ...{ subject: 'Hello', body: 'Plain text', atMs: expect.any(Number) },
      },
    ]);
  });

  it('takes a page, an address for replies and what comes along', async () => {
    const code = body(`
      const attachments = [Utilities.newBlob('a,b', 'text/csv', 'list.csv')];
      MailApp.sendEmail('a@b.c', 'reply@b.c', 'Four', 'texts');
      MailApp.sendEmail({ to: 'a@b.c', subject: 's', htmlBody: '<b>', name: 'Me', attachments });`);
    host = hostOf(code, { dist: distOf(code) });
    void host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run();
    expect(host.stores.mail.sent()).toMatchObject([
      { subject: 'Four', body: 'texts', replyTo: 'reply@b.c' },
      {
        ...{ htmlBody: '<b>', name: 'Me' },
        attachments: [{ name: 'list.csv', type: 'text/csv', binary: 'a,b' }],
      },
    ]);
  });

  it('is refused without the scope, and to cells', async () => {
    const send = body("MailApp.sendEmail('a@example.com', 's', 'b');");
    expect((await outcomeOf(send)).error?.message).toBe(
      'Specified permissions are not sufficient to call MailApp.sendEmail. ' +
        'Required permissions: https://www.googleapis.com/auth/script.send_mail',
    );
    const cell = await outcomeOf('', { door: 'cell' }, { dist: distOf(send) });
    expect(cell.error?.message).toContain('You do not have permission to call MailApp.sendEmail');
  });

  it('takes a hundred recipients a day of a person, and says how many are left', async () => {
    const text = `
      const to = Array.from({ length: 49 }, (_, at) => 'p' + at + '@example.com').join(',');
      MailApp.sendEmail({ to, subject: 's', body: 'b' });
      MailApp.sendEmail({ to, subject: 's', body: 'b', cc: 'x@example.com' });
      const left = MailApp.getRemainingDailyQuota();
      let refusal = '';
      try { MailApp.sendEmail('a@example.com,b@example.com', 's', 'b'); } catch (e) { refusal = e.message; }
      return [left, refusal];`;
    expect(await resultOf('', {}, { dist: distOf(body(text)) })).toEqual([
      1,
      'Service invoked too many times for one day: email.',
    ]);
  });

  it.each([
    ["MailApp.sendEmail('nobody', 's', 'b')", 'Invalid email: nobody'],
    [
      "MailApp.sendEmail('a@b.c')",
      "The parameters (String) don't match the method signature for MailApp.sendEmail.",
    ],
    ["MailApp.sendEmail('', 's', 'b')", 'Failed to send email: no recipient'],
    ["MailApp.sendEmail('a@b.c', 's'.repeat(251), 'b')", 'Argument too large: subject'],
    ["MailApp.sendEmail('a@b.c', 's', 'b'.repeat(204801))", 'Limit Exceeded: Email Body Size.'],
    [
      "MailApp.sendEmail(Array(51).fill('a@b.c').join(), 's', 'b')",
      'Limit Exceeded: Email Recipients Per Message.',
    ],
  ])('refuses %s', async (text, message) => {
    expect(await errorOf(text)).toBe(message);
  });
});
