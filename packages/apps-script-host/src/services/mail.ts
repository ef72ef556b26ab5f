// MailApp: mail sent as the person a script runs as, with Google's limits.

import { createDailyQuota } from '../daily-quota';
import { reached } from '../limits';
import { say } from '../messages';
import { toBinary } from '../realm/bytes';
import type { HostHalf, PartOf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';
import { typeNames } from './parameters';

/** A mail as it crosses to the host. Addresses are separated by commas. */
interface Letter {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly body: string;
  /** Left out: plain text alone. */
  readonly htmlBody?: string;
  readonly replyTo?: string;
  readonly name?: string;
  readonly attachments?: readonly Attachment[];
}

/** What comes along with a mail, with one character per byte. */
interface Attachment {
  readonly name: string;
  readonly type: string | null;
  readonly binary: string;
}

interface MailCalls {
  'mail.sendEmail': (letter: Letter) => void;
  'mail.getRemainingDailyQuota': () => number;
}

export interface SentMail extends Letter {
  readonly from: string;
  readonly atMs: number;
}

export interface MailStore {
  readonly sent: () => readonly SentMail[];
}

/** "Quotas for Google services", limits for one mail. */
const RECIPIENTS_MAX = 50;
const BODY_BYTES_MAX = 200 * 1024;
const ATTACHMENTS_MAX = 250;
const ATTACHMENT_BYTES_MAX = 25 * 1024 * 1024;
/** Reported by users who ran into the limit: "Argument too large: subject". */
const SUBJECT_CHARS_MAX = 250;

const MAIL_SCOPES = ['https://www.googleapis.com/auth/script.send_mail'];

type Options = Partial<GoogleAppsScript.Mail.MailAdvancedParameters>;

function attachment(source: GoogleAppsScript.Base.BlobSource): Attachment {
  const blob = source.getBlob();
  const binary = toBinary(blob.getBytes());
  return { name: blob.getName() ?? 'Untitled', type: blob.getContentType(), binary };
}

export const mailScript: ScriptHalf<MailCalls> = ({ call, guard, exception }) => {
  const letterOf = (args: readonly unknown[]): Letter => {
    const [first, subject, body, options = {}] = args;
    const isMessage = args.length === 1 && typeof first === 'object' && first !== null;
    // (recipient, subject, body), (recipient, subject, body, options), and, with an address for
    // replies, (recipient, replyTo, subject, body).
    if (args.length === 4 && typeof options === 'string')
      return letterOf([first, body, options, { replyTo: String(subject) }]);
    const isPlain = args.length === 3 || (args.length === 4 && typeof options === 'object');
    if (!isMessage && !isPlain)
      throw exception(say('wrong-parameters', typeNames(args), 'MailApp.sendEmail'));
    const given = isMessage ? (first as Options) : { ...(options as Options), to: String(first) };
    const text = isMessage ? given : { subject: String(subject), body: String(body) };
    if (!given.to) throw exception(say('no-recipient'));
    return {
      to: given.to,
      cc: given.cc ?? '',
      bcc: given.bcc ?? '',
      subject: text.subject ?? '',
      body: text.body ?? '',
      ...(given.htmlBody !== undefined && { htmlBody: given.htmlBody }),
      ...(given.replyTo !== undefined && { replyTo: given.replyTo }),
      ...(given.name !== undefined && { name: given.name }),
      ...(given.attachments && { attachments: given.attachments.map(attachment) }),
    };
  };
  return {
    MailApp: guard('MailApp', {
      sendEmail: (...args: readonly unknown[]) => call('mail.sendEmail', letterOf(args)),
      getRemainingDailyQuota: () => call('mail.getRemainingDailyQuota'),
    } satisfies PartOf<GoogleAppsScript.Mail.MailApp>),
  };
};

function recipientsOf({ to, cc, bcc }: Letter): readonly string[] {
  const addresses = [to, cc, bcc].flatMap((list) => list.split(',')).map((one) => one.trim());
  return addresses.filter((address) => address !== '');
}

function checkLetter(letter: Letter): void {
  const recipients = recipientsOf(letter);
  const wrong = recipients.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  if (wrong !== undefined) throw new ServiceException(say('invalid-email', wrong));
  if (recipients.length > RECIPIENTS_MAX) {
    throw new ServiceException(say('limit-exceeded', 'Email Recipients Per Message'));
  }
  if (letter.subject.length > SUBJECT_CHARS_MAX) {
    throw new ServiceException(say('too-large', 'subject'));
  }
  const sizes = (letter.attachments ?? []).map(({ binary }) => binary.length);
  if (sizes.length > ATTACHMENTS_MAX)
    throw new ServiceException(say('limit-exceeded', 'Email Attachments Per Message'));
  if (sizes.reduce((sum, size) => sum + size, 0) > ATTACHMENT_BYTES_MAX)
    throw new ServiceException(say('limit-exceeded', 'Email Total Attachments Size'));
  if (Buffer.byteLength(letter.body) + Buffer.byteLength(letter.htmlBody ?? '') > BODY_BYTES_MAX) {
    throw new ServiceException(say('limit-exceeded', 'Email Body Size'));
  }
}

export function createMailHost({ scheduler, limits }: World): {
  readonly half: HostHalf<MailCalls>;
  readonly store: MailStore;
} {
  const quota = createDailyQuota(scheduler.nowMs, limits.mailRecipientsPerDay);
  const sent: SentMail[] = [];
  const half: HostHalf<MailCalls> = {
    operations: {
      'mail.sendEmail': ({ userEmail }, letter) => {
        checkLetter(letter);
        const count = recipientsOf(letter).length;
        if (!quota.allows(userEmail, count)) {
          throw new ServiceException(
            say('day-spent', 'email'),
            reached(limits, 'mailRecipientsPerDay'),
          );
        }
        quota.count(userEmail, count);
        sent.push({ ...letter, from: userEmail, atMs: scheduler.nowMs() });
      },
      'mail.getRemainingDailyQuota': ({ userEmail }) =>
        limits.mailRecipientsPerDay - quota.used(userEmail),
    },
    permission: (operation) => ({
      callName: operation.replace('mail.', 'MailApp.'),
      modes: ['FULL'],
      anyScope: MAIL_SCOPES,
    }),
    shown: (_operation, [letter]) => {
      if (letter === undefined) return '';
      const { subject, body } = letter as Letter;
      return `<${subject.length}> <${body.length}>`;
    },
  };
  return { half, store: { sent: () => sent } };
}
