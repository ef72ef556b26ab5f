// The possible shapes of a refusal. The contract shows none, so the sandbox has many.
import { type Allowance, tokens } from './answers';
import type { Problem } from './problems';

interface Body {
  readonly contentType: string;
  readonly text: string;
}

export type ErrorShape = (problem: Problem, allowance: Allowance | null) => Body;

const json = (value: unknown, contentType = 'application/json'): Body => ({
  contentType,
  text: JSON.stringify(value),
});

export const errorObject: ErrorShape = ({ code, message }) => json({ error: { code, message } });

export const plainText: ErrorShape = ({ message }) => ({
  contentType: 'text/plain',
  text: message,
});

export const emptyBody: ErrorShape = () => ({ contentType: 'text/plain', text: '' });

/** RFC 9457. */
export const problemDetails: ErrorShape = ({ status, code, message }) =>
  json(
    { type: `about:blank#${code}`, title: code.replaceAll('_', ' '), status, detail: message },
    'application/problem+json',
  );

export const messageOnly: ErrorShape = ({ status, message }) => json({ status, message });

export const errorsWithCodes: ErrorShape = ({ code, message }) =>
  json({ errors: [{ code, message, details: '' }] });

export const errorTexts: ErrorShape = ({ message }) => json({ errors: [message] });

/** JSON:API. */
export const jsonApiErrors: ErrorShape = ({ status, code, message }) =>
  json(
    { errors: [{ status: String(status), code, title: code, detail: message }] },
    'application/vnd.api+json',
  );

export const detailList: ErrorShape = ({ code, message, field }) =>
  field === undefined
    ? json({ detail: message })
    : json({ detail: [{ loc: ['body', field], msg: message, type: code }] });

export const errorsByField: ErrorShape = ({ message, field }) =>
  json(field === undefined ? { message } : { message, errors: { [field]: [message] } });

export const successFalse: ErrorShape = ({ code, message }) =>
  json({ success: false, code, message });

export const errorWithTokens: ErrorShape = ({ code, message }, allowance) =>
  json({ error: { type: code, message, details: '' }, ...tokens(allowance) });
