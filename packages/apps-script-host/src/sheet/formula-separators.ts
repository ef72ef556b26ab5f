// Converts the separators in formulas: Sheets shows commas between arguments, except in locales
// with a decimal comma.

/** Quoted texts, quoted sheet names, brackets and semicolons. */
const TOKEN = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[(){};]/g;

/** Semicolons within braces remain, because there a semicolon begins a row. */
export function withCommas(formula: string): string {
  const open: string[] = [];
  return formula.replace(TOKEN, (token) => {
    if (token === ';') return open[open.length - 1] === '(' ? ',' : token;
    if (token === '(' || token === '{') open.push(token);
    else if (token === ')' || token === '}') open.pop();
    return token;
  });
}

/**
 * Quoted texts, quoted sheet names, decimal numbers and the characters that depend on the locale.
 */
const LOCAL_TOKEN = /"(?:[^"]|"")*"|'(?:[^']|'')*'|(?<![\w$])\d+([.,])\d+|[,\\]/g;

/** Whether the locale, for example "de_DE", writes numbers with a decimal comma. */
function hasDecimalComma(locale: string): boolean {
  const known = decimals.get(locale);
  if (known !== undefined) return known;
  const is = new Intl.NumberFormat(locale.replace('_', '-')).format(1.5).includes(',');
  decimals.set(locale, is);
  return is;
}

const decimals = new Map<string, boolean>();

/**
 * The formula as written in en_US. null: Sheets cannot read it. In a locale with a decimal comma,
 * only semicolons separate arguments and "\\" separates columns in braces. This also applies to
 * formulas that a script sets: "commas are never corrected to semicolons" (a well-known answer
 * about locales on Stack Overflow), while semicolons are read everywhere (mricon/ingress-fieldplan,
 * issue 5; googleapis/google-api-nodejs-client, issue 1994 shows the error for a Turkish
 * spreadsheet).
 */
export function inEnglish(formula: string, locale: string): string | null {
  if (!hasDecimalComma(locale)) return withCommas(formula);
  let isReadable = true;
  const read = formula.replace(LOCAL_TOKEN, (token, sign?: string) => {
    if (token === '\\') return ',';
    if (token === ',' || sign === '.') isReadable = false;
    return sign === ',' ? token.replace(',', '.') : token;
  });
  return isReadable ? withCommas(read) : null;
}
