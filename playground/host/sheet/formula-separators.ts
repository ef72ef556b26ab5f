// Semicolons between the arguments of a formula: where a comma is no decimal sign, Sheets shows commas.

/** Texts, sheet names in quotation marks, brackets and what parts arguments. */
const TOKEN = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[(){};]/g;

/** In a list in braces a semicolon begins a row, and stays. */
export function withCommas(formula: string): string {
  const open: string[] = [];
  return formula.replace(TOKEN, (token) => {
    if (token === ';') return open[open.length - 1] === '(' ? ',' : token;
    if (token === '(' || token === '{') open.push(token);
    else if (token === ')' || token === '}') open.pop();
    return token;
  });
}
