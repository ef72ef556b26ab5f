// The page at the sandbox's root. It says that nothing here is real and what visitors can try.
import { DIALECTS } from './dialects';
import { FAULT_PRODUCTS } from './faults';
import { KEYS } from './keys';

/** For the header that every answer carries. */
export const SANDBOX_NOTICE = 'a sandbox; every product and figure in it is invented';

export function frontPage(dialect: string): string {
  const keys = KEYS.map((key) => [key.name, key.what]);
  const faults = Object.entries(FAULT_PRODUCTS).map(([asin, { what }]) => [asin, what]);
  const dialects = Object.entries(DIALECTS).map(([name, { varies }]) => [name, varies]);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox of the product analysis service</title></head>
<body>
<h1>Sandbox of the product analysis service</h1>
<p>This is ${SANDBOX_NOTICE}. It speaks the dialect <code>${dialect}</code>.</p>
<p>Ask it with <code>POST /v1/analyze</code>, form fields <code>asin</code> and
<code>market</code>, header <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
${table('Keys', keys)}
${table('Test products', faults)}
${table('Dialects', dialects)}
</body>
</html>
`;
}

function table(heading: string, rows: readonly (readonly string[])[]): string {
  const body = rows.map(([name, what]) => `<tr><td><code>${name}</code></td><td>${what}</td></tr>`);
  return `<h2>${heading}</h2>\n<table>\n${body.join('\n')}\n</table>`;
}
