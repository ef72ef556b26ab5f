// HtmlService: pages from the project's HTML files, templates as far as a page needs them, and the
// cuts that Google makes in a page's scripts on the way to the browser.

import { say } from '../messages';
import type { HostHalf, PartOf, ScriptCut, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';
import { binaryOf, createBlob } from './blob';

interface HtmlCalls {
  'html.file': (name: string) => string;
}

/**
 * A comment ends at the end of its line or at its closing sign. A comment that is never closed
 * extends to the end of the script.
 */
const COMMENT = String.raw`\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)`;
/**
 * A quoted string ends at the end of its line at the latest. Backticks and slashes do not start a
 * string.
 */
const STRING = String.raw`"(?:\\[\s\S]|[^"\\\n\r])*"?|'(?:\\[\s\S]|[^'\\\n\r])*'?`;

const CUTS: Readonly<Record<ScriptCut, RegExp>> = {
  'outside-strings': new RegExp(`(${STRING})|${COMMENT}`, 'g'),
  everywhere: new RegExp(`()${COMMENT}`, 'g'),
};

const INLINE_SCRIPT = /(<script\b(?![^>]*\ssrc\s*=)[^>]*>)([\s\S]*?)(<\/script)/gi;

/**
 * A page as the browser gets it. Google serves inline scripts without their comments, but also
 * takes for comments what is none. Reported: `//`, and in template literals everything from the
 * first comment sign to the last (enuchi/React-Google-Apps-Script, issue 157: "strips these at the
 * time of rendering"); also `//` in a plain string (tanaikech/A2UI-for-Google-Apps-Script, issue
 * 2).
 *
 * No rule is published, so there are two models. A reader that knows quoted strings but neither
 * templates nor regular expressions explains the first report alone. A reader that knows none of
 * these explains both. Modelled but not reported: a regular expression is cut in the same way, and
 * so is every type of inline script. Not modelled, because nothing is known: attributes such as
 * onclick, and styles.
 */
export function servedPage(html: string, cut: ScriptCut = 'everywhere'): string {
  return html.replace(
    INLINE_SCRIPT,
    (_, open: string, script: string, close: string) =>
      open + script.replace(CUTS[cut], (_comment, string: string = '') => string) + close,
  );
}

type OutputObject = Pick<
  GoogleAppsScript.HTML.HtmlOutput,
  | 'append'
  | 'clear'
  | 'getContent'
  | 'getHeight'
  | 'getTitle'
  | 'getWidth'
  | 'setContent'
  | 'setHeight'
  | 'setTitle'
  | 'setWidth'
  | 'addMetaTag'
  | 'getFaviconUrl'
  | 'setFaviconUrl'
  | 'setSandboxMode'
  | 'setXFrameOptionsMode'
  | 'appendUntrusted'
  | 'asTemplate'
  | 'getAs'
  | 'getBlob'
  | 'getMetaTags'
>;

/** A template. The script may assign variables of any name to it before it is evaluated. */
interface TemplateObject {
  evaluate: () => OutputObject;
  getRawContent: () => string;
  [variable: string]: unknown;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);
}

/** The JavaScript of a template: text and scriptlets in their order, which print as they run. */
function templateSource(content: string): string {
  const parts = content.split(/<\?([\s\S]*?)\?>/);
  const statements = parts.map((part, place) => {
    if (place % 2 === 0) return `print(${JSON.stringify(part)});`;
    if (part.startsWith('!=')) return `print(${expression(part.slice(2))});`;
    if (part.startsWith('=')) return `print(escapeHtml(${expression(part.slice(1))}));`;
    return part;
  });
  return statements.join('\n');
}

/** Google's own pages write `<?!= include('X'); ?>`, with a semicolon (guide "Best practices"). */
const expression = (text: string): string => text.trim().replace(/;+$/, '');

type Html = typeof GoogleAppsScript.HTML;

export const htmlScript: ScriptHalf<HtmlCalls> = ({ call, guard, enumeration }) => {
  const output = (html: string): OutputObject => {
    let [content, title, favicon] = [html, '', ''];
    let width: number | null = null;
    let height: number | null = null;
    const tags: { readonly name: string; readonly text: string }[] = [];
    const blob = (type: string) => createBlob(guard, binaryOf(content), type, title || null);
    const chain = (change: () => void) => {
      change();
      return self as GoogleAppsScript.HTML.HtmlOutput;
    };
    const self: OutputObject = guard('HtmlOutput', {
      getContent: () => content,
      setContent: (next: string) => chain(() => (content = String(next))),
      append: (more: string) => chain(() => (content += String(more))),
      /** Within a tag or a script Google escapes otherwise. */
      appendUntrusted: (more: string) =>
        chain(() => {
          if (/<[^>]*$|<(?:script|style)\b(?![\s\S]*<\/(?:script|style))/i.test(content))
            throw new Error('Appending within a tag, a script or a style is not emulated');
          content += escapeHtml(more);
        }),
      asTemplate: () => template(() => content) as GoogleAppsScript.HTML.HtmlTemplate,
      getBlob: () => blob('text/html'),
      getAs: (type: string) => {
        if (!/^text\/(?:html|plain)$/.test(type))
          throw new Error(`A page as ${type} is not emulated`);
        return blob(type);
      },
      clear: () => chain(() => (content = '')),
      getTitle: () => title,
      setTitle: (next: string) => chain(() => (title = String(next))),
      getWidth: () => width ?? 0,
      setWidth: (next: number) => chain(() => (width = next)),
      getHeight: () => height ?? 0,
      setHeight: (next: number) => chain(() => (height = next)),
      // Settings of the page that Google puts around this one. They have no effect here.
      addMetaTag: (name: string, text: string) =>
        chain(() => tags.push({ name: String(name), text: String(text) })),
      getMetaTags: () =>
        tags.map(({ name, text }) =>
          guard('HtmlOutputMetaTag', {
            getName: () => name,
            getContent: () => text,
          } satisfies PartOf<GoogleAppsScript.HTML.HtmlOutputMetaTag>),
        ) as unknown as GoogleAppsScript.HTML.HtmlOutputMetaTag[],
      setSandboxMode: (_mode: GoogleAppsScript.HTML.SandboxMode) => chain(() => {}),
      setXFrameOptionsMode: (_mode: GoogleAppsScript.HTML.XFrameOptionsMode) => chain(() => {}),
      setFaviconUrl: (url: string) => chain(() => (favicon = String(url))),
      getFaviconUrl: () => favicon,
    });
    return self;
  };
  const template = (content: () => string): TemplateObject => {
    const self: TemplateObject = guard('HtmlTemplate', {
      getRawContent: content,
      evaluate: () => {
        const { evaluate, getRawContent, ...variables } = self;
        let printed = '';
        const print = (value: unknown) => {
          printed += String(value);
        };
        const names = ['print', 'escapeHtml', ...Object.keys(variables)];
        new Function(...names, templateSource(content()))(
          print,
          escapeHtml,
          ...Object.values(variables),
        );
        return output(printed);
      },
    });
    return self;
  };
  return {
    HtmlService: guard('HtmlService', {
      SandboxMode: enumeration<Html['SandboxMode']>('SandboxMode', [
        'EMULATED',
        'IFRAME',
        'NATIVE',
      ]),
      XFrameOptionsMode: enumeration<Html['XFrameOptionsMode']>('XFrameOptionsMode', [
        'ALLOWALL',
        'DEFAULT',
      ]),
      createHtmlOutput: (html: unknown = '') => output(String(html)),
      createHtmlOutputFromFile: (name: string) => output(call('html.file', String(name))),
      createTemplate: (html: unknown) => template(() => String(html)),
      createTemplateFromFile: (name: string) => {
        const content = call('html.file', String(name));
        return template(() => content);
      },
      /** Of the visitor of a web app; null elsewhere. Here no visitor has a browser. */
      getUserAgent: () => null as unknown as string,
    } satisfies PartOf<GoogleAppsScript.HTML.HtmlService>),
  };
};

export function createHtmlHost({ html }: World): HostHalf<HtmlCalls> {
  return {
    operations: {
      'html.file': (_caller, name) => {
        const content = html[name.replace(/\.html$/, '')];
        if (content === undefined) {
          throw new ServiceException(say('no-html-file', name));
        }
        return content;
      },
    },
    permission: () => ({
      callName: 'HtmlService.createHtmlOutputFromFile',
      modes: ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'],
    }),
    shown: (_operation, [name]) => String(name),
  };
}
