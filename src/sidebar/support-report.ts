// The report of the diagnostics, as text and as a page of its own.

export interface Finding {
  /** `note`: neither good nor bad, only good to know. `no-key`: nothing is wrong, but nothing works yet. */
  readonly verdict: 'ok' | 'problem' | 'note' | 'no-key';
  readonly about: string;
  readonly text: string;
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok       ',
  problem: 'PROBLEM  ',
  note: '         ',
  'no-key': 'TO DO    ',
};

/** "2026-01-05 09:00:12 UTC": the same for whoever reads it, wherever they are. */
export function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** What a service, Google or a sheet's own titles say may name a product or a person: neither is for support. */
const anonymous = (text: string): string =>
  text
    .replace(/[^\s"<>()]+@[^\s"<>()]+/g, '(an address)')
    .replace(/\b(B0[\dA-Z]{8}|\d{9}[\dX])\b/gi, '(a product)');

export function reportText(findings: readonly Finding[], version: string, nowMs: number): string {
  const count = (wanted: string) => findings.filter(({ verdict }) => verdict === wanted).length;
  const problems = count('problem');
  const hasKey = count('no-key') === 0;
  const none = hasKey ? 'No problem found.' : 'Permissions OK.';
  const found = [none, 'One problem found.'][problems] ?? `${problems} problems found.`;
  const todo = hasKey ? '' : ' No key connected: open the sidebar and connect one.';
  return [
    `Product Analysis ${version}, diagnostics of ${utc(nowMs)}`,
    `${found}${todo} The key is not in this report.`,
    '',
    ...findings.map(({ verdict, about, text }) => `${MARKS[verdict]}${about}: ${anonymous(text)}`),
  ].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
}

const STYLE =
  'body{margin:0 8px;font:14px/1.4 Arial,sans-serif;color:#202124}' +
  'h1{font-size:14px;font-weight:400}' +
  'textarea{box-sizing:border-box;width:100%;height:290px;font:12px/1.5 monospace}' +
  'button{padding:8px 16px;border:0;border-radius:4px;background:#1a73e8;color:#fff;font:inherit}';

/**
 * Dialogs of Sheets have no other way to the clipboard than the browser's old command. Until the script
 * runs, if it never does, and where the browser refuses, the page says how to copy by hand. Google cuts whatever looks like a
 * comment out of it, so nothing does (decision 0011).
 */
const SCRIPT =
  // What has an id is a variable of the page.
  'var byHand=said.textContent;copy.onclick=function(){report.select();' +
  "said.textContent=document.execCommand('copy')?'Copied.':byHand};" +
  "copy.hidden=false;said.textContent=''";

/** @param grantUrl Google's page on which missing permissions can be given, if any are missing. */
export function reportPage(report: string, grantUrl: string | null): string {
  const grant =
    grantUrl === null
      ? ''
      : `<p><a href="${escaped(grantUrl)}" target="_blank">Allow what is missing</a></p>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagnostics</title>` +
    `<style>${STYLE}</style></head><body>` +
    `<main><h1 id="ask">Send this to support if something does not work.</h1>${grant}` +
    `<textarea id="report" readonly aria-labelledby="ask">${escaped(report)}</textarea>` +
    `<p><button id="copy" type="button" hidden>Copy</button> <span id="said" role="status">` +
    `To copy it, click into the text and press Ctrl+A, then Ctrl+C (⌘A, ⌘C on a Mac).</span></p></main>` +
    `<script>${SCRIPT}</script></body></html>`
  );
}
