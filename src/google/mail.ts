// Mail from the current person to themselves.

import { serviceCall, serviceCallOr } from './service-call';

/**
 * Sends a mail in plain text. Returns whether Google accepted it; it may not be permitted, or the
 * daily limit is used up.
 */
export function sendMail(subject: string, text: string): boolean {
  // In both cases the page says the same.
  return serviceCallOr(false, () => {
    const to = Session.getEffectiveUser().getEmail();
    const left = serviceCall(() => MailApp.getRemainingDailyQuota());
    return serviceCall(
      () => {
        MailApp.sendEmail(to, subject, text);
        return true;
      },
      // The mail may have been sent although the call failed; then fewer mails remain for the day.
      () => MailApp.getRemainingDailyQuota() < left || undefined,
    );
  });
}
