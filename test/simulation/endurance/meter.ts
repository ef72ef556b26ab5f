// Measures stored data and usage day by day: the maximum of each figure, and when it occurred.

import type { InlineHost } from 'apps-script-host/inline/inline-host';

export interface Most {
  readonly value: number;
  /** What the figure concerns: a property or a person. */
  readonly of: string;
  readonly atMs: number;
}

export interface Meter {
  readonly note: (figure: string, value: number, of?: string) => void;
  readonly most: (figure: string) => Most;
  readonly value: (figure: string) => number;
}

export function createMeter(nowMs: () => number): Meter {
  const figures = new Map<string, Most>();
  const most = (figure: string) => figures.get(figure) ?? { value: 0, of: '', atMs: 0 };
  return {
    most,
    value: (figure) => most(figure).value,
    note(figure, value, of = '') {
      if (!figures.has(figure) || value > most(figure).value)
        figures.set(figure, { value, of, atMs: nowMs() });
    },
  };
}

const bytesOf = (values: Readonly<Record<string, string>>): number =>
  Object.entries(values).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );

interface Kept {
  readonly stores: InlineHost['stores'];
  readonly documentIds: readonly string[];
  readonly people: readonly string[];
}

/** Notes everything that is stored durably. */
export function noteStores(meter: Meter, { stores, documentIds, people }: Kept): void {
  const kinds = [
    ['script', ['script']],
    ['spreadsheet', documentIds.map((id) => `document/${id}`)],
    ['person', people.map((email) => `user/${email}`)],
  ] as const;
  for (const [kind, names] of kinds)
    for (const name of names) {
      const values = stores.properties.read(name);
      meter.note(`bytes of a ${kind}'s properties`, bytesOf(values), name);
      meter.note(`properties of a ${kind}`, Object.keys(values).length, name);
      for (const [property, value] of Object.entries(values))
        meter.note('bytes of a property', Buffer.byteLength(value), `${name} ${property}`);
      meter.note(`values of a ${kind}'s cache`, stores.cache.size(name), name);
    }
  const all = stores.triggers.all();
  for (const email of people) {
    const own = all.filter(({ userEmail }) => userEmail === email);
    meter.note('triggers of a person', own.length, email);
    for (const id of documentIds) {
      const here = own.filter(({ documentId }) => documentId === id);
      meter.note('triggers of a person in a spreadsheet', here.length, `${email} ${id}`);
    }
  }
}
