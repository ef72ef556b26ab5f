// Makes the sidebar one file: its shell with the styles and the script written into it.
import { type Program, parse } from 'acorn';
import { freeIdentifiers } from './free-identifiers';

export interface PageParts {
  readonly shell: string;
  readonly styles: string;
  readonly script: string;
}

/** The page speaks to the server through google.script.run and to nobody else. */
const NETWORK_NAMES: readonly string[] = [
  ...['EventSource', 'WebSocket', 'Worker', 'XMLHttpRequest', 'fetch', 'importScripts'],
];

/** Anything in markup that makes a browser load something. A link that is clicked is none. */
const LOADING_MARKUP =
  /<(?:script|img|iframe|audio|video|source)\b[^>]*\ssrc\s*=|<link\b|<object\b/i;
const LOADING_STYLES = /@import|url\(\s*['"]?(?!data:|#)/i;

function parseScript(script: string): Program {
  return parse(script, { ecmaVersion: 'latest', sourceType: 'script' });
}

function checkSelfContained({ shell, styles, script }: PageParts): void {
  const markup = LOADING_MARKUP.exec(shell)?.[0];
  if (markup !== undefined) throw new Error(`page.html loads something from elsewhere: ${markup}`);
  const rule = LOADING_STYLES.exec(styles);
  if (rule !== null)
    throw new Error(`page.css loads something: ${styles.slice(rule.index, rule.index + 60)}`);
  const free = freeIdentifiers(parseScript(script));
  const network = NETWORK_NAMES.filter((name) => free.has(name));
  if (network.length > 0)
    throw new Error(`The page may only use google.script.run, not ${network.join(', ')}`);
}

/** The text replaces exactly one mark; a function, since `$` in a replacement means something. */
function put(shell: string, mark: string, text: string): string {
  if (shell.split(mark).length !== 2) throw new Error(`page.html needs ${mark} exactly once`);
  return shell.replace(mark, () => text);
}

/** Within a script the HTML parser looks for nothing but these two; in a string, \x3C hides them. */
function hideMarkup(script: string): string {
  return script.replace(/<(?=\/script|!--)/gi, () => '\\x3C');
}

export function pageOf(parts: PageParts): string {
  checkSelfContained(parts);
  const shell = parts.shell.replace(/^\s*<!--[\s\S]*?-->\s*/, '');
  const styled = put(shell, '<!-- STYLES -->', `<style>${parts.styles.trim()}</style>`);
  return put(styled, '<!-- SCRIPT -->', `<script>${hideMarkup(parts.script.trim())}</script>`);
}
