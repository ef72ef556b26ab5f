// Defines the internet as UrlFetchApp sees it: a request goes out, and an answer or a fault comes
// back.

export interface InternetRequest {
  readonly method: string;
  readonly url: string;
  /** Keyed by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

export type InternetReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Keyed by names as the server wrote them. Several headers of one name are an array. */
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly body: Uint8Array;
      /**
       * Time from sending the request to the answer's arrival, in ms. 0 if that time has already
       * passed.
       */
      readonly delayMs: number;
    }
  /** The name does not exist, or no server can be reached there. */
  | {
      readonly kind: 'fault';
      readonly fault: 'dns' | 'unavailable';
      readonly delayMs: number;
      /** What a test can do about it. */
      readonly hint?: string;
    }
  /** No answer ever arrives. */
  | { readonly kind: 'silence' };

/**
 * Sends one request at this moment. Does not follow redirects. In virtual time the reply must be
 * there at once and says how long it took. With the machine's clock it may be a promise.
 */
export type Internet = (
  request: InternetRequest,
  nowMs: number,
) => InternetReply | Promise<InternetReply>;
