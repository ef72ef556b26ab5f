// Check digits of book numbers: printed books are sold under their ISBN-10 as ASIN.

/** Whether ten characters (digits, the last may be X) are a valid ISBN-10. */
export function isIsbn10(text: string): boolean {
  return /^\d{9}[\dX]$/.test(text) && text.charAt(9) === isbn10CheckDigit(text.slice(0, 9));
}

/** Whether thirteen digits are a valid EAN-13, which every ISBN-13 is. */
export function isEan13(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  const sum = [...text].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** The ISBN-10 of an ISBN-13; null for the 979 range, which has none. */
export function isbn10Of(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const body = isbn13.slice(3, 12);
  return body + isbn10CheckDigit(body);
}

/** Weights 10 down to 2 over nine digits; the check digit makes the sum divisible by 11. */
function isbn10CheckDigit(body: string): string {
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (10 - i), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}
