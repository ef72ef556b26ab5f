// The page of the support report's dialog: the text, a button that copies it, a link to what is missing.

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
  'button{padding:8px 16px;border:0;border-radius:4px;background:#1a73e8;color:#fff;font:inherit}' +
  'a{color:#1967d2}';

/**
 * Dialogs of Sheets have no other way to the clipboard than the browser's old command. Until the script
 * runs, if it never does, and where the browser refuses, the page says how to copy by hand. Google cuts whatever looks like a
 * comment out of it, so nothing does (decision 0011).
 */
const SCRIPT =
  "var copy=document.getElementById('copy'),said=document.getElementById('said')," +
  "byHand=said.textContent;copy.onclick=function(){document.getElementById('report').select();" +
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
