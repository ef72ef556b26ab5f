// Makes the sidebar one file: its shell with the styles and the script written into it. The dialog is one already.
import { tokenizer, tokTypes } from 'acorn';
import { transformSync } from 'esbuild';
import { checkPlain, plainScript } from './plain-script';

export interface PageParts {
  readonly shell: string;
  readonly styles: string;
  /** Runs before the script and without it: says so if the script does not start. */
  readonly watch: string;
  readonly script: string;
  /** Licences of what others wrote in the page and in the script beside it. */
  readonly notices: string;
}

/** The page speaks to the server through google.script.run and to nobody else. */
const NETWORK_NAMES: readonly string[] = [
  ...['EventSource', 'WebSocket', 'Worker', 'XMLHttpRequest', 'fetch', 'importScripts'],
];

/** Anything in markup that makes a browser load something. A link that is clicked is none. */
const LOADING_MARKUP =
  /<(?:script|img|iframe|audio|video|source)\b[^>]*\ssrc\s*=|<link\b|<object\b/i;
const LOADING_STYLES = /@import|url\((?!\s*['"]?(?:data:|#))/i;

function checkMarkup(file: string, markup: string): void {
  const found = LOADING_MARKUP.exec(markup)?.[0];
  if (found !== undefined) throw new Error(`${file} loads something from elsewhere: ${found}`);
}

function checkStyles(file: string, styles: string): void {
  const rule = LOADING_STYLES.exec(styles);
  if (rule !== null)
    throw new Error(`${file} loads something: ${styles.slice(rule.index, rule.index + 60)}`);
}

/** Refuses these names wherever they stand in a script, as a variable or as a member of `window`. */
function checkScripts(...scripts: readonly string[]): void {
  const namesIn = (script: string) =>
    [...tokenizer(script, { ecmaVersion: 'latest' })]
      .filter(({ type }) => type === tokTypes.name)
      .map(({ start, end }) => script.slice(start, end));
  const words = scripts.flatMap(namesIn);
  const network = NETWORK_NAMES.filter((name) => words.includes(name));
  if (network.length > 0)
    throw new Error(`The page may only use google.script.run, not ${network.join(', ')}`);
}

/** What the source says about itself is not pushed. */
const withoutHeader = (html: string): string => html.replace(/^\s*<!--[\s\S]*?-->\s*/, '');

/** The text replaces exactly one mark; a function, since `$` in a replacement means something. */
function put(shell: string, mark: string, text: string): string {
  if (shell.split(mark).length !== 2) throw new Error(`page.html needs ${mark} exactly once`);
  return shell.replace(mark, () => text);
}

/** Small enough to be read before it is trusted, bytes: it must run where the script does not. */
const WATCH_MAX_BYTES = 1_000;

export function pageOf(parts: PageParts): string {
  checkMarkup('page.html', parts.shell);
  checkStyles('page.css', parts.styles);
  checkScripts(parts.watch, parts.script);
  const [watch, script] = [plainScript(parts.watch), plainScript(parts.script)];
  if (watch.length > WATCH_MAX_BYTES)
    throw new Error(`The script that watches the start has ${watch.length} bytes; it must be tiny`);
  const styled = put(
    withoutHeader(parts.shell),
    '<!-- STYLES -->',
    `<style>${parts.styles.trim()}</style>`,
  );
  const watched = put(styled, '<!-- WATCH -->', `<script>${watch}</script>`);
  const page = put(
    watched,
    '<!-- SCRIPT -->',
    `<template id="notices">${parts.notices}</template>\n    <script>${script}</script>`,
  );
  checkPlain(page);
  return page;
}

/** The page of a dialog, written as one file: without comments, and held to the same rules. */
export function dialogOf(file: string, source: string): string {
  checkMarkup(file, source);
  checkStyles(file, source);
  const page = withoutHeader(source).replace(/(?<=<script>)[\s\S]*?(?=<\/script>)/g, (script) => {
    const { code } = transformSync(script, { charset: 'ascii', minify: true });
    checkScripts(code);
    return plainScript(code);
  });
  checkPlain(page);
  return page;
}
