// HtmlService: pages from the project's HTML files, templates as far as a page needs them, and what
// becomes of a page's scripts on the way to the browser.

import { say } from '../messages';
import type { HostHalf, PartOf, ScriptCut, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';

interface HtmlCalls {
  'html.file': (name: string) => string;
}

/** A comment ends with its line, or with its last sign; one that never ends takes all that follows. */
const COMMENT = String.raw`\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)`;
/** Strings between quotes end with their line at the latest; backticks and slashes open nothing. */
const STRING = String.raw`"(?:\\[\s\S]|[^"\\\n\r])*"?|'(?:\\[\s\S]|[^'\\\n\r])*'?`;

const CUTS: Readonly<Record<ScriptCut, RegExp>> = {
  'outside-strings': new RegExp(`(${STRING})|${COMMENT}`, 'g'),
  everywhere: new RegExp(`()${COMMENT}`, 'g'),
};

const INLINE_SCRIPT = /(<script\b(?![^>]*\ssrc\s*=)[^>]*>)([\s\S]*?)(<\/script)/gi;

/**
 * A page as the browser gets it: Google serves inline scripts without their comments, and takes for a
 * comment what is none. Reported: `//` and from the first of two signs to the last in template literals
 * (enuchi/React-Google-Apps-Script, issue 157: "strips these at the time of rendering"), and `//` in a
 * plain string (tanaikech/A2UI-for-Google-Apps-Script, issue 2). No rule is published, so there are two
 * models: the first report alone is met by a reader that knows strings between quotes and neither
 * templates nor regular expressions, both by one that knows nothing. Modelled, not reported: that a
 * regular expression is cut in the same way, and that every type of inline script is. Not modelled, as
 * nothing is said of them: attributes such as onclick, and styles.
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
>;

/** A template: the script may put variables of any name on it before it is evaluated. */
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

/** The JavaScript of a template: text and scriptlets in their order, printing as they go. */
function templateSource(content: string): string {
  const parts = content.split(/<\?([\s\S]*?)\?>/);
  const statements = parts.map((part, place) => {
    if (place % 2 === 0) return `print(${JSON.stringify(part)});`;
    if (part.startsWith('!=')) return `print(${part.slice(2)});`;
    if (part.startsWith('=')) return `print(escapeHtml(${part.slice(1)}));`;
    return part;
  });
  return statements.join('\n');
}

type Html = typeof GoogleAppsScript.HTML;

export const htmlScript: ScriptHalf<HtmlCalls> = ({ call, guard, enumeration }) => {
  const output = (html: string): OutputObject => {
    let [content, title, favicon] = [html, '', ''];
    let width: number | null = null;
    let height: number | null = null;
    const chain = (change: () => void) => {
      change();
      return self as GoogleAppsScript.HTML.HtmlOutput;
    };
    const self: OutputObject = guard('HtmlOutput', {
      getContent: () => content,
      setContent: (next: string) => chain(() => (content = String(next))),
      append: (more: string) => chain(() => (content += String(more))),
      clear: () => chain(() => (content = '')),
      getTitle: () => title,
      setTitle: (next: string) => chain(() => (title = String(next))),
      getWidth: () => width ?? 0,
      setWidth: (next: number) => chain(() => (width = next)),
      getHeight: () => height ?? 0,
      setHeight: (next: number) => chain(() => (height = next)),
      // What goes into the page that Google puts around this one, which nobody sees here.
      addMetaTag: (_name: string, _content: string) => chain(() => {}),
      setSandboxMode: (_mode: GoogleAppsScript.HTML.SandboxMode) => chain(() => {}),
      setXFrameOptionsMode: (_mode: GoogleAppsScript.HTML.XFrameOptionsMode) => chain(() => {}),
      setFaviconUrl: (url: string) => chain(() => (favicon = String(url))),
      getFaviconUrl: () => favicon,
    });
    return self;
  };
  const template = (content: string): TemplateObject => {
    const self: TemplateObject = guard('HtmlTemplate', {
      getRawContent: () => content,
      evaluate: () => {
        const { evaluate, getRawContent, ...variables } = self;
        let printed = '';
        const print = (value: unknown) => {
          printed += String(value);
        };
        const names = ['print', 'escapeHtml', ...Object.keys(variables)];
        new Function(...names, templateSource(content))(
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
      createTemplate: (html: unknown) => template(String(html)),
      createTemplateFromFile: (name: string) => template(call('html.file', String(name))),
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
