// What the sidebar's page may ask the server, and what it is told: types only, for both sides.

export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst?: number;
}

/** A limit that the add-on finds out by itself; a guess until it is sure. */
interface LearnedLimit {
  readonly calls: number;
  readonly perSeconds: number;
  readonly sure: boolean;
}

/** Who pays with this key: the person who saved it, or also the formulas of this spreadsheet. */
export type Sharing = 'me' | 'spreadsheet';

/** What the service's description leaves open. A member left out: as sent, or found out. */
export interface ConnectionSettings {
  /** What the service calls the UK. */
  readonly ukMarket?: string;
  /** The service's own names of the two prices. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  /** ROI 0.25 or 25 for the same thing; with it set, formulas get the fraction. */
  readonly roiUnit?: 'fraction' | 'percent';
  /** The market of formulas that name none. */
  readonly defaultMarket?: 'US' | 'UK';
}

export interface ConnectionDraft {
  readonly baseUrl: string;
  /** Empty keeps the stored key, which is allowed only while the address stays the same. */
  readonly apiKey: string;
  /** null: the limit is not known and is to be found out. */
  readonly quota: Quota | null;
  readonly sharing: Sharing;
  /** Left out: the stored ones stay. Given: they take the place of all that are stored. */
  readonly settings?: ConnectionSettings;
}

export type ConnectionStatus =
  | { readonly connected: false }
  | {
      readonly connected: true;
      readonly baseUrl: string;
      /** The end of the key, "…4f2a"; the key itself never reaches the page. */
      readonly keyMask: string;
      readonly quota: Quota | null;
      /** Set where `quota` is null. */
      readonly learned?: LearnedLimit;
      readonly sharing: Sharing;
      readonly settings: ConnectionSettings;
      /** Products that formulas of this spreadsheet could not ask for in their time. */
      readonly waiting: number;
      /**
       * Set when the key is not the viewer's own but was shared with this spreadsheet: the e-mail
       * of who did so, or null where Google does not tell it.
       */
      readonly owner?: string | null;
      /** Why no calls are made with this key at present, such as a key the service refused. */
      readonly stopped?: RpcFailure;
    };

interface RecognisedField {
  /** As the service sent it. */
  readonly name: string;
  /** Our field, or null where we have no word for it. */
  readonly as: string | null;
  readonly value: string;
}

export interface CheckReport {
  readonly asin: string;
  readonly market: string;
  readonly latencyMs: number;
  readonly recognised: readonly RecognisedField[];
}

export interface RpcMethods {
  readonly 'connection.save': {
    readonly payload: ConnectionDraft;
    readonly value: ConnectionStatus;
  };
  readonly 'connection.status': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: ConnectionStatus;
  };
  readonly 'connection.check': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: CheckReport;
  };
  readonly 'connection.clear': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: ConnectionStatus;
  };
  /** Asks for the products that formulas are waiting for, for at most `maxMs`. */
  readonly 'waiting.work': {
    readonly payload: { readonly maxMs: number };
    readonly value: { readonly settled: number; readonly left: number };
  };
}

export type RpcMethod = keyof RpcMethods;

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** A whole sentence for a person: what happened. */
  readonly message: string;
  /** A whole sentence: what to do now. */
  readonly action?: string;
  /** The part of a payload that is at fault, so that the page can say it beside that field. */
  readonly field?: keyof ConnectionDraft;
}

export type RpcReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RpcFailure };
