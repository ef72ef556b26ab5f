// Members of Range that move its cells, fill others from them, split their texts or shuffle them.

import type { Place } from './calls';
import { DIMENSIONS, FILL_SERIES, TEXT_DELIMITERS, type TextDelimiter } from './enums';
import { type Making, placeOf, type RangeHandle, wrongParameters } from './making';

const CHARACTERS: Readonly<Record<TextDelimiter, string>> = {
  ...{ COMMA: ',', SEMICOLON: ';', PERIOD: '.', SPACE: ' ' },
};

export function moveMembers(making: Making, place: Place, self: () => object) {
  const { call } = making;
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const dimension = (method: string, value: unknown) => {
    const found = DIMENSIONS.find((each) => making.dimensions[each] === value);
    if (found === undefined) throw wrongParameters(making, `Range.${method}`, [value]);
    return found;
  };
  const series = (method: string, args: readonly unknown[]) => {
    const found = FILL_SERIES.find((each) => making.fillSeries[each] === args.at(-1));
    if (found === undefined) throw wrongParameters(making, `Range.${method}`, args);
    return found;
  };
  const delimiter = (value: unknown): string | null => {
    if (value === undefined || value === null) return null;
    const named = TEXT_DELIMITERS.find((each) => making.textDelimiters[each] === value);
    return named === undefined ? String(value) : CHARACTERS[named];
  };
  return {
    /** Of the target "only the top-left cell position is relevant". */
    moveTo: (target: RangeHandle) => call('spreadsheet.write.moveTo', place, placeOf(target)),
    insertCells: (along: unknown) =>
      chain(() => call('spreadsheet.write.insertCells', place, dimension('insertCells', along))),
    deleteCells: (along: unknown) =>
      call('spreadsheet.write.deleteCells', place, dimension('deleteCells', along)),
    autoFill: (destination: RangeHandle, how: unknown) =>
      call(
        'spreadsheet.write.autoFill',
        place,
        placeOf(destination),
        series('autoFill', [destination, how]),
      ),
    autoFillToNeighbor: (how: unknown) =>
      call('spreadsheet.write.autoFillToNeighbor', place, series('autoFillToNeighbor', [how])),
    splitTextToColumns: (by?: unknown) =>
      call('spreadsheet.write.splitTextToColumns', place, delimiter(by)),
    randomize: () => chain(() => call('spreadsheet.write.randomize', place)),
  };
}
