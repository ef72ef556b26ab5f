// Measures a cell's own CPU time: a fresh evaluation of the script and one formula answered from
// the cache, compared with other scripts.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

/** A script as Google would load it, and the call to make in it; '' for loading only. */
interface Case {
  readonly name: string;
  readonly code: string;
  readonly call: string;
}

interface Figures {
  readonly loadMs: number;
  readonly callMs: number;
}

const ASIN = 'B07FZ8S74R';
const ADDRESS = 'https://api.example.com/v1';

const ANSWER = {
  ...{ asin: ASIN, profit: 4.2, roi: 0.31, fees: 3.5, eligible: true, rank_drops_30d: 12 },
  ...{ buy_price: 13.5, sell_price: 21.2 },
};

const signed = (byte: number) => (byte > 127 ? byte - 256 : byte);

/**
 * Stores and caches of one spreadsheet as plain maps: the cost of Google's own is not part of this
 * table.
 */
function servicesOver(values: Map<string, string>) {
  const part = (kind: string) => ({
    get: (name: string) => values.get(kind + name) ?? null,
    put: (name: string, value: string) => void values.set(kind + name, value),
    getAll: (names: readonly string[]) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = values.get(kind + name);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    putAll(all: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(all)) values.set(kind + name, value);
    },
    remove: (name: string) => void values.delete(kind + name),
    removeAll(names: readonly string[]) {
      for (const name of names) values.delete(kind + name);
    },
  });
  function properties(kind: string) {
    const cache = part(kind);
    return {
      getProperty: cache.get,
      setProperty: cache.put,
      deleteProperty: cache.remove,
      getProperties: () =>
        Object.fromEntries(
          [...values].flatMap(([name, value]) =>
            name.startsWith(kind) ? [[name.slice(kind.length), value]] : [],
          ),
        ),
      setProperties(all: Readonly<Record<string, string>>) {
        cache.putAll(all);
        return true;
      },
    };
  }
  const lock = { tryLock: () => true, releaseLock: () => undefined, hasLock: () => true };
  const reply = {
    getResponseCode: () => 200,
    getContentText: () => JSON.stringify(ANSWER),
    getAllHeaders: () => ({}),
    getHeaders: () => ({}),
  };
  return {
    CacheService: {
      getDocumentCache: () => part('d:'),
      getScriptCache: () => part('s:'),
      getUserCache: () => part('u:'),
    },
    PropertiesService: {
      getUserProperties: () => properties('user:'),
      getDocumentProperties: () => properties('document:'),
    },
    LockService: { getDocumentLock: () => lock, getUserLock: () => lock },
    UrlFetchApp: {
      fetch: () => reply,
      fetchAll: (sent: readonly unknown[]) => sent.map(() => reply),
    },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      computeDigest: (name: string, text: string) =>
        [...createHash(name).update(text).digest()].map(signed),
      sleep: () => undefined,
      formatDate: () => '+0000',
    },
    Session: { getTemporaryActiveUserKey: () => 'person' },
    SpreadsheetApp: {
      getActive: () => null,
      getActiveSpreadsheet: () => null,
      flush: () => undefined,
    },
    ScriptApp: {},
    HtmlService: {},
    console,
  };
}

/** Makes each text unique, because V8 would reuse the compiled form of a known one. */
let nth = 0;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function measured({ code, call }: Case, values: Map<string, string>): Figures & { value: unknown } {
  nth += 1;
  const context = createContext(servicesOver(values));
  const text = `${code}\n//${nth}`;
  const begun = cpuMs();
  runInContext(text, context);
  const loaded = cpuMs();
  const value: unknown = call === '' ? undefined : runInContext(call, context);
  return { loadMs: loaded - begun, callMs: cpuMs() - loaded, value };
}

/** As many bytes as the median of seventeen add-ons, in plain functions that nobody calls. */
function typicalScript(): string {
  const one = (at: number) =>
    `function read${at}(rows, name) { var found = rows.filter(function (row) { return row[0] === name; }); ` +
    `if (found.length === 0) throw new Error("No row ${at} for " + name); return found[0].slice(1); }`;
  return Array.from({ length: 260 }, (_, at) => one(at)).join('\n');
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * A connection and an answer as after the first cell; all further cells are answered from the
 * cache.
 */
function warmed(code: string): Map<string, string> {
  const values = new Map<string, string>();
  const draft = {
    baseUrl: ADDRESS,
    apiKey: 'demo-key-12345678',
    quota: { calls: 5, perSeconds: 1 },
  };
  const save = `rpc('connection.save', ${JSON.stringify({ ...draft, sharing: 'spreadsheet' })}).ok`;
  const call = `ANALYZE("${ASIN}")`;
  if (measured({ name: '', code, call: save }, values).value !== true)
    throw new Error('The bench could not save its connection');
  const { value } = measured({ name: '', code, call }, values);
  if (!JSON.stringify(value).includes(String(ANSWER.profit)))
    throw new Error('The bench has no answer in its cache');
  return values;
}

/**
 * Prints medians over this many fresh contexts. The cases take turns, so that other load on the
 * machine affects all of them.
 *
 * @param others paths of further Code.js files to compare with.
 */
export function tellCold(code: string, others: readonly string[], contexts: number): string {
  const scripts = [code, ...others.map((path) => readFileSync(path, 'utf8'))];
  const call = `ANALYZE("${ASIN}")`;
  const cases: readonly Case[] = [
    { name: 'empty script', code: '', call: '' },
    { name: 'typical script', code: typicalScript(), call: 'read1([["a", 1]], "a")' },
    { name: 'this build', code, call },
    ...others.map((name, at) => ({ name, code: scripts[at + 1] ?? '', call })),
  ];
  const stores = new Map(scripts.map((text) => [text, warmed(text)]));
  const told = cases.map((): Figures[] => []);
  for (let round = 0; round < contexts; round += 1)
    for (const [at, one] of cases.entries())
      told[at]?.push(measured(one, stores.get(one.code) ?? new Map()));
  const total = (at: number) => median((told[at] ?? []).map((one) => one.loadMs + one.callMs));
  const rows = cases.map(({ name, code: text }, at) => {
    const of = (part: keyof Figures) => median((told[at] ?? []).map((one) => one[part]));
    const kb = (Buffer.byteLength(text) / 1_000).toFixed(1);
    const figures = [of('loadMs'), of('callMs'), total(at)].map((ms) => ms.toFixed(2));
    return [name, kb, ...figures, (total(at) / total(2)).toFixed(2)];
  });
  const head = ['script', 'KB', 'load ms', 'cell ms', 'CPU ms', 'of this build'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
