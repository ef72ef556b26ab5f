// Defines what doGet and doPost receive for a visit to a web app, and what of their answer reaches
// the visitor.

import { ILLEGAL_RESULT } from './google-script-run';

export interface Visit {
  /** Defaults to GET, or to POST if there is a body. */
  readonly method?: 'GET' | 'POST';
  /** The part after the app's address, for example "orders/12". */
  readonly path?: string;
  readonly parameters?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly contentType?: string;
}

/** What a visitor gets of the value that doGet or doPost returned. */
export type WebAnswer =
  | { readonly kind: 'html'; readonly content: string; readonly title: string }
  | { readonly kind: 'text'; readonly content: string; readonly mimeType: string };

/** Google's page for a function that returns nothing. */
const NOTHING_RETURNED = 'The script completed but did not return anything.';

/** The event object, with the members that the guide of web apps lists. */
export function visitEvent({ path, parameters = {}, body, contentType }: Visit): object {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  const first = new Map<string, string>();
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value);
  const postData = {
    length: (body ?? '').length,
    type: contentType ?? 'text/plain',
    contents: body ?? '',
    name: 'postData',
  };
  return {
    queryString: pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
    parameter: Object.fromEntries(first),
    parameters: Object.fromEntries(
      [...first.keys()].map((name) => [
        name,
        pairs.filter(([each]) => each === name).map(([, value]) => value),
      ]),
    ),
    ...(path === undefined ? {} : { pathInfo: path }),
    contextPath: '',
    contentLength: body === undefined ? -1 : body.length,
    ...(body === undefined ? {} : { postData }),
  };
}

interface Output {
  readonly getContent: () => string;
  readonly getTitle?: () => string;
  readonly getMimeType?: () => object;
}

/** Outputs of HtmlService and ContentService as plain values. Google refuses anything else. */
export function webAnswer(value: unknown): WebAnswer {
  if (value === undefined || value === null) throw new Error(NOTHING_RETURNED);
  if (typeof value !== 'object' || !('getContent' in value)) throw new Error(ILLEGAL_RESULT);
  const output = value as Output;
  const content = output.getContent();
  if ('getMimeType' in output)
    return { kind: 'text', content, mimeType: String(output.getMimeType?.()) };
  if (!('getTitle' in output)) throw new Error(ILLEGAL_RESULT);
  return { kind: 'html', content, title: output.getTitle?.() ?? '' };
}
