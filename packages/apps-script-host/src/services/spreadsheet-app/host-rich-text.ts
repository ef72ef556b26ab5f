// The styles and links of parts of texts, on behalf of a script.

import { lookIn } from '../../sheet/cell-looks';
import { NotInThisModel } from '../../sheet/marks';
import type { Matrix, SheetModel } from '../../sheet/model';
import type { PlainGrid } from '../../sheet/plain-grid';
import {
  commonLink,
  DEFAULT_STYLE,
  NO_STYLE,
  type TextPart,
  type TextStyle,
} from '../../sheet/rich-text';
import type { Place, RichText } from './calls';
import { checkLengths } from './host-book';
import { writeInto } from './host-merges';
import { checkValid } from './host-validation';

export interface RichWriting {
  readonly text: string;
  readonly parts: readonly TextPart[];
}

function styleIn(look: string, weight: string, colour: string): TextStyle | undefined {
  if (look === '' && weight === '' && colour === '') return undefined;
  const line = lookIn(look, 'line');
  return {
    bold: weight === 'bold',
    italic: lookIn(look, 'style') === 'italic',
    underline: line === 'underline',
    strikethrough: line === 'line-through',
    size: Number(lookIn(look, 'size') || DEFAULT_STYLE.size),
    family: lookIn(look, 'family') || DEFAULT_STYLE.family,
    color: colour === '' ? DEFAULT_STYLE.color : { code: colour, theme: null },
  };
}

/** A cell whose value is not text has no rich text. */
export function richTexts(model: SheetModel, place: Place): RichText[][] {
  const { sheetId } = place;
  const links = model.links(sheetId, place);
  const looks = model.looks(sheetId, place);
  const weights = model.fontWeights(sheetId, place);
  const colours = model.colours(sheetId, place, 'text');
  const runs = 'runs' in model ? (model as PlainGrid).runs(sheetId, place) : [];
  return model.values(sheetId, place).map((cells, down) =>
    cells.map((text, right): RichText => {
      if (typeof text !== 'string') return null;
      const at = (texts: Matrix<string>) => texts[down]?.[right] ?? '';
      const base = styleIn(at(looks), at(weights), at(colours));
      const kept = at(runs);
      const parts = kept === '' ? {} : { parts: JSON.parse(kept) as readonly TextPart[] };
      return { text, link: at(links), ...(base && { base }), ...parts };
    }),
  );
}

const isPlain = ({ style }: TextPart) => JSON.stringify(style) === JSON.stringify(NO_STYLE);

/** The texts stay as they are: "=A1" is no formula, and "007" no number. */
export function writeRichTexts(model: SheetModel, place: Place, texts: Matrix<RichWriting>): void {
  const { sheetId, row, column } = place;
  const contents = texts.map((cells) => cells.map(({ text }) => text));
  checkLengths(contents);
  if (model.dropdowns(sheetId).length > 0) checkValid(model, place, contents);
  writeInto(model, place, contents);
  const links = texts.map((cells) => cells.map(({ parts }) => commonLink(parts) ?? ''));
  const runs = texts.map((cells) =>
    cells.map(({ parts }) => {
      const isWhole = parts.every(isPlain) && new Set(parts.map(({ link }) => link)).size < 2;
      return isWhole ? '' : JSON.stringify(parts);
    }),
  );
  if (links.flat().some((link) => link !== '')) model.setLinks(sheetId, row, column, links);
  if (runs.flat().every((run) => run === '')) return;
  if (!('setRuns' in model)) throw new NotInThisModel('Styles of parts of a text');
  (model as PlainGrid).setRuns(sheetId, row, column, runs);
}
