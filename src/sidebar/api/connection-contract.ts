// What the page and the server say to each other about the connection, and what every reply is. Types alone.

import type { Market } from '../../product/market';

import type { Sighting } from '../../service/observations';

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

/** What the service's description leaves open. A member left out: found out by checks, else as sent. */
export interface ConnectionSettings {
  /** What the service calls the UK. */
  readonly ukMarket?: string;
  /** The service's own names of what it leaves open. */
  readonly buyPriceName?: string;
  readonly sellPriceName?: string;
  readonly eligibleName?: string;
  readonly feesName?: string;
  /** ROI 0.25 or 25 for the same thing; with it settled, formulas get the fraction. */
  readonly roiUnit?: 'fraction' | 'percent';
  /** 12.5 or 1250 for the same amount; with it settled, formulas get 12.5. */
  readonly moneyUnit?: 'units' | 'hundredths';
  /** The market of formulas that name none. */
  readonly defaultMarket?: Market;
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
  /** Most calls a day by formulas of one spreadsheet; null: no such limit; left out: it stays. */
  readonly cellsPerDay?: number | null;
}

/** Whose key the formulas of this spreadsheet use. */
export interface Payer {
  /**
   * yours: shared by the viewer · shared: by somebody else · owner: nothing is shared, so it is the
   * spreadsheet owner's, which may be the viewer's · samples: formulas answer for samples alone.
   */
  readonly kind: 'yours' | 'shared' | 'owner' | 'samples';
  /** Of the key that formulas use, where it is known: "…4f2a". */
  readonly keyMask?: string;
  /** The same as a whole sentence. */
  readonly text: string;
}

/** How answers are read, and why: the page puts it into words. */
export interface ReadingFacts {
  /** What a person said, which counts before what was found. */
  readonly settings: ConnectionSettings;
  /** What answers told, each with a whole sentence that says how. */
  readonly found: ConnectionSettings;
  readonly reasons: { readonly [Setting in keyof ConnectionSettings]?: string };
  /** What answers told that is not settled, or is settled otherwise. */
  readonly sightings: readonly Sighting[];
}

/** What Google allows in a day, counted from its first call. */
export interface GoogleUse {
  readonly usedToday: number;
  readonly perDay: number;
  /** Four fifths are used: time to tell. */
  readonly isNear: boolean;
}

export type ConnectionStatus =
  | {
      readonly connected: false;
      /** Formulas of this spreadsheet answer for invented sample products. */
      readonly demo: boolean;
    }
  | (ReadingFacts & {
      readonly connected: true;
      readonly baseUrl: string;
      /** The end of the key, "…4f2a"; the key itself never reaches the page. */
      readonly keyMask: string;
      readonly quota: Quota | null;
      /** Set where `quota` is null. */
      readonly learned?: LearnedLimit;
      /** The service refused calls that came together, so they are sent one by one. */
      readonly isOneByOne?: true;
      readonly sharing: Sharing;
      readonly payer: Payer;
      /** Calls by formulas of this spreadsheet with the key that they use. */
      readonly cellCalls: { readonly perDay: number | null; readonly usedToday: number };
      /** All calls of the viewer's scripts since Google's day began, where they are counted. */
      readonly googleCalls?: GoogleUse;
      /** The same for reading and writing settings, part of which is an estimate. */
      readonly googlePropertyCalls?: GoogleUse;
      /** Products that formulas of this spreadsheet could not ask for in their time. */
      readonly waiting: number;
      /**
       * Set when the key is not the viewer's own but was shared with this spreadsheet: the e-mail
       * of who did so, or null where Google does not tell it.
       */
      readonly owner?: string | null;
      /** Why no calls are made with this key at present, such as a key the service refused. */
      readonly stopped?: RpcFailure;
    });

interface RecognisedField {
  /** As the service sent it. */
  readonly name: string;
  /** Our field, or null where we have no word for it. */
  readonly as: string | null;
  readonly value: string;
  /** What a cell shows, where it is something else: another unit, a blank. */
  readonly shown?: string | number | boolean | null;
}

/**
 * The facts are those after this check; what it found is kept already. What its answer said against
 * a setting is in its sightings alone.
 */
export interface CheckReport extends ReadingFacts {
  readonly asin: string;
  readonly market: string;
  readonly latencyMs: number;
  /** Empty where the service does not know the product. */
  readonly recognised: readonly RecognisedField[];
  /** With `tryMarkets`: each way to write the UK, in the order in which it was tried. */
  readonly marketsTried?: readonly { readonly value: string; readonly accepted: boolean }[];
}

/** One real call; for a product of one's own where `asin` is given. */
export interface CheckWish {
  /** An ASIN, an ISBN or a link, as in a cell. */
  readonly asin?: string;
  readonly market?: Market;
  /** Also ask for the UK under other names until one is accepted: a few calls more. */
  readonly tryMarkets?: true;
}

/** What is asked about the connection, and of formulas that use it. */
export interface ConnectionMethods {
  readonly 'connection.save': {
    readonly payload: ConnectionDraft;
    readonly value: ConnectionStatus;
  };
  readonly 'connection.status': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: ConnectionStatus;
  };
  readonly 'connection.check': {
    readonly payload: CheckWish;
    readonly value: CheckReport;
  };
  /** Whether formulas here use the viewer's stored key, and how many calls a day they may make. */
  readonly 'connection.share': {
    readonly payload: { readonly sharing: Sharing; readonly cellsPerDay?: number | null };
    readonly value: ConnectionStatus;
  };
  /** Address, limit, settings and what was found, as text to keep. Never the key. */
  readonly 'connection.export': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: { readonly text: string };
  };
  /**
   * Takes an exported text. `applied`: it is stored, as the key of this address is here already;
   * else `draft` is for the form, where the key is still to be typed.
   */
  readonly 'connection.import': {
    readonly payload: { readonly text: string };
    readonly value: {
      readonly applied: boolean;
      readonly draft: ConnectionDraft;
      readonly status: ConnectionStatus;
    };
  };
  /** Sample rows with formulas, on the sheet in view if it is empty, else on a new one. */
  readonly 'samples.insert': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: { readonly sheet: string; readonly range: string; readonly isNew: boolean };
  };
  /** Without a key: formulas of this spreadsheet answer for invented samples, until one is saved. */
  readonly 'demo.start': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: ConnectionStatus;
  };
  readonly 'demo.stop': {
    readonly payload: Readonly<Record<string, never>>;
    readonly value: ConnectionStatus;
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
  /** Has formulas worked out anew, for at most `maxMs`: the next call goes on with what is left. */
  readonly 'formulas.refresh': {
    readonly payload: {
      readonly maxMs: number;
      /** Only those without figures; else also those whose figures are older than six hours. */
      readonly onlyFailed: boolean;
      /** Of the call that it goes on with. */
      readonly sinceMs?: number;
    };
    readonly value: FormulaRefresh;
  };
}

/** Counts of cells since the first of its calls, but for `calls`. */
export interface FormulaRefresh {
  readonly sinceMs: number;
  readonly refreshed: number;
  /** Worked out, and a product has no answer; the protected ones among them. */
  readonly failed: number;
  readonly refused?: number;
  readonly left: number;
  /** Of this call alone. */
  readonly calls: number;
  /** They have a refresh argument of the user's own, and stay as they are. */
  readonly ownRefresh: number;
  /** Why more time would not help with what is left. */
  readonly problem?: RpcFailure;
}

export interface RpcFailure {
  /** One of the kinds in the failure table. */
  readonly kind: string;
  /** A whole sentence for a person: what happened. */
  readonly message: string;
  /** A whole sentence: what to do now. */
  readonly action?: string;
  /** The service's own name of the request, which its operator can look up. */
  readonly requestId?: string;
  /** The part of a payload that is at fault, so that the page can say it beside that field. */
  readonly field?: keyof ConnectionDraft;
  /** Google's page on which what is missing can be allowed. To be opened in a new tab. */
  readonly grantUrl?: string;
}

export type RpcReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RpcFailure };
