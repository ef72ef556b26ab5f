// CellImage: a picture as the value of a cell. The cell keeps it as the formula =IMAGE("address").

import type { PartOf, Realm } from '../../service';

interface Picture {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

type Value = object;

/** Which picture an object of a script stands for. */
const pictures = new WeakMap<object, () => Picture>();

/** null: the value is no picture. */
export function imageFormula(value: unknown): string | null {
  const picture = typeof value === 'object' && value !== null ? pictures.get(value) : undefined;
  return picture === undefined ? null : `=IMAGE("${picture().url.replaceAll('"', '""')}")`;
}

export function createCellImages({ guard, enumeration }: Realm<never>) {
  const ValueType = enumeration<{ readonly IMAGE: Value }>('ValueType', ['IMAGE']);
  const reading = (now: () => Picture) => ({
    valueType: ValueType.IMAGE,
    getAltTextTitle: () => now().title,
    getAltTextDescription: () => now().description,
    /** At Google an address of its own, which soon expires. */
    getContentUrl: () => now().url,
    getUrl: () => now().url,
    toBuilder: () => builder(now()),
  });
  const image = (picture: Picture): object => {
    const self = guard('CellImage', {
      ...reading(() => picture),
    } satisfies PartOf<GoogleAppsScript.Spreadsheet.CellImage>);
    pictures.set(self, () => picture);
    return self;
  };
  const builder = (first: Picture): object => {
    let picture = first;
    const change = (part: Partial<Picture>) => {
      picture = { ...picture, ...part };
      return self;
    };
    const self: object = guard('CellImageBuilder', {
      ...reading(() => picture),
      setSourceUrl: (url: string) => change({ url: String(url) }),
      setAltTextTitle: (title: string) => change({ title: String(title) }),
      setAltTextDescription: (description: string) => change({ description: String(description) }),
      build: () => image(picture),
    } satisfies PartOf<GoogleAppsScript.Spreadsheet.CellImageBuilder>);
    pictures.set(self, () => picture);
    return self;
  };
  return {
    ValueType,
    newCellImage: () => builder({ url: '', title: '', description: '' }),
  };
}
