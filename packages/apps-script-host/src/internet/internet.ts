// The internet as UrlFetchApp meets it: a request goes out, an answer or a fault returns.

export interface InternetRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

export type InternetReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names as the server wrote them; several of one name are an array. */
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: Uint8Array;
      /** From the request's leaving to the answer's arrival. 0 if that time has already passed. */
      readonly delayMs: number;
    }
  /** Nobody has this name, or nobody can be reached there. */
  | { readonly kind: 'fault'; readonly fault: 'dns' | 'unavailable'; readonly delayMs: number }
  /** Nobody ever answers. */
  | { readonly kind: 'silence' };

/**
 * Sends one request at this moment. Redirects are not followed here. In virtual time the reply has
 * to be there at once and says how long it took; with the machine's clock it may be a promise.
 */
export type Internet = (
  request: InternetRequest,
  nowMs: number,
) => InternetReply | Promise<InternetReply>;
