// Decides what the sandbox accepts as an ASIN, and invents ASINs that no real product has.
import type { Random } from 'apps-script-host/random';

/** As far as we know, no real code yet begins with B0 and one of these letters. */
const INVENTED_THIRD = [...'PQRSTVWXYZ'];
const REST = [...'0123456789BCDFGHJKLMNPQRSTVWXYZ'];
const ASIN_FORM = /^(?:B[0-9A-Z]{9}|[0-9]{9}[0-9X])$/;

export function isAsin(text: string): boolean {
  if (!ASIN_FORM.test(text)) return false;
  return text.startsWith('B') || text === withCheckDigit(text.slice(0, 9));
}

export function inventAsin(random: Random): string {
  const rest = Array.from({ length: 7 }, () => random.pick(REST)).join('');
  return `B0${random.pick(INVENTED_THIRD)}${rest}`;
}

/** Printed books are sold under their ISBN-10. The groups 0 and 1 are for books in English. */
export function inventIsbn(random: Random): string {
  const digits = Array.from({ length: 8 }, () => random.integer(0, 9)).join('');
  return withCheckDigit(`${random.integer(0, 1)}${digits}`);
}

/** ISO 2108: digits weighted from 10 to 2, and a last digit that makes the sum divisible by 11. */
function withCheckDigit(nineDigits: string): string {
  const sum = [...nineDigits].reduce(
    (total, digit, index) => total + (10 - index) * Number(digit),
    0,
  );
  const check = (11 - (sum % 11)) % 11;
  return `${nineDigits}${check === 10 ? 'X' : check}`;
}
