// HtmlService: pages from the project's HTML files, and templates as far as a page needs them.

import { say } from '../messages';
import type { HostHalf, PartOf, ScriptHalf, World } from '../service';
import { ServiceException } from '../service';

interface HtmlCalls {
  'html.file': (name: string) => string;
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

export const htmlScript: ScriptHalf<HtmlCalls> = ({ call, guard }) => {
  const output = (html: string): OutputObject => {
    let [content, title] = [html, ''];
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
