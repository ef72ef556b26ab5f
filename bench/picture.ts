// The picture of docs/performance.md, drawn from that page's tables: the ratio of a list by law,
// beside the peers and the optimum.

/** One line of the picture: a case, and how much of the ideal time each strategy took. */
export interface Line {
  readonly name: string;
  readonly addOn: number;
  /** The theoretical optimum. */
  readonly best: number;
  readonly peers: readonly number[];
}

/** "plain" cannot be done in less time without refusals; the page explains why. */
const BEST_OF_PLAIN = 1.28;

/** The drawn columns of the page's tables of laws. */
const ADD_ON = 'ratio';
const PEERS = /^peers?: /;

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Ratios of cells are not drawn, because for peers they do not show how many cells got no answer.
 */
const CELLS = /-cells`$/;

/** Every row of a list in every table of the page that has columns of peers. */
export function linesOf(page: string): readonly Line[] {
  return page.split(/\n(?!\|)/).flatMap((part) => {
    const [head = '', , ...rows] = part.split('\n').filter((line) => line.startsWith('|'));
    const titles = cellsOf(head);
    if (!titles.some((title) => PEERS.test(title))) return [];
    const lists = rows.map(cellsOf).filter(([name = '']) => !CELLS.test(name));
    return lists.map((cells): Line => {
      const name = (cells[0] ?? '').replaceAll('`', '');
      return {
        name,
        addOn: Number(cells[titles.indexOf(ADD_ON)]),
        best: name.endsWith('-plain') ? BEST_OF_PLAIN : 1,
        peers: cells
          .filter((_, at) => PEERS.test(titles[at] ?? ''))
          .map(Number.parseFloat)
          .filter((ratio) => !Number.isNaN(ratio)),
      };
    });
  });
}

const WIDTH = 760;
const LEFT = 190;
const RIGHT = 70;
const TOP = 64;
const STEP = 22;

/** The range of a logarithmic axis: 1 to 2 takes as much room as 2 to 4. */
const RATIO_MAX = 32;
const TICKS = [1, 1.5, 2, 3, 4, 8, 16, 32];

const xOf = (ratio: number): number => {
  const share = Math.log(Math.min(RATIO_MAX, Math.max(1, ratio))) / Math.log(RATIO_MAX);
  return Math.round(LEFT + share * (WIDTH - LEFT - RIGHT));
};

/** The colours follow the light or dark setting of the reader's system. */
const STYLE = `<style>
svg { background: #fff; font: 12px system-ui, sans-serif }
text { fill: #24292f } .axis { fill: #57606a; text-anchor: middle } .grid { stroke: #d0d7de }
.name, .figure { text-anchor: end } .bar { fill: #0969da } .best { stroke: #1a7f37; stroke-width: 3 }
.peer { fill: none; stroke: #9a6700; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117 }
text { fill: #e6edf3 } .axis { fill: #9198a1 } .grid { stroke: #3d444d }
.bar { fill: #4493f8 } .best { stroke: #3fb950 } .peer { stroke: #d29922 }
}
</style>`;

/** A row of the picture, with its name at the left and its figure at the end. */
function drawnLine({ name, addOn, best, peers }: Line, at: number): string {
  const [top, middle] = [TOP + at * STEP, TOP + at * STEP + 9];
  const bar = Math.max(2, xOf(addOn) - LEFT);
  const dots = peers.map(
    (ratio) => `<circle class="peer" cx="${xOf(ratio)}" cy="${middle}" r="5"/>`,
  );
  return [
    `<text class="name" x="${LEFT - 8}" y="${middle + 4}">${name}</text>`,
    `<rect class="bar" x="${LEFT}" y="${top + 2}" width="${bar}" height="14"/>`,
    `<path class="best" d="M${xOf(best)} ${top - 1}v20"/>`,
    ...dots,
    `<text class="figure" x="${WIDTH - 16}" y="${middle + 4}">${addOn.toFixed(2)}</text>`,
  ].join('\n');
}

/** The picture as a file: text stays text, and every browser can draw it. */
export function drawn(lines: readonly Line[], title: string): string {
  const bottom = TOP + lines.length * STEP;
  const axis = TICKS.map(
    (ratio) =>
      `<path class="grid" d="M${xOf(ratio)} ${TOP - 6}V${bottom}"/>` +
      `<text class="axis" x="${xOf(ratio)}" y="${bottom + 16}">${ratio}</text>`,
  );
  const key = [
    `<rect class="bar" x="${LEFT}" y="32" width="14" height="14"/><text x="${LEFT + 20}" y="44">this add-on</text>`,
    `<path class="best" d="M${LEFT + 112} 29v20"/><text x="${LEFT + 120}" y="44">the best there can be</text>`,
    `<circle class="peer" cx="${LEFT + 270}" cy="39" r="5"/><text x="${LEFT + 282}" y="44">ways of other add-ons</text>`,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 28}" width="${WIDTH}" height="${bottom + 28}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    STYLE,
    `<text x="12" y="20">${title}</text>`,
    ...key,
    ...axis,
    ...lines.map(drawnLine),
    '</svg>\n',
  ].join('\n');
}

/** The picture of the page's tables. */
export const pictureOf = (page: string): string =>
  drawn(
    linesOf(page),
    'A list of 1,000 rows: time taken as a multiple of what the limit itself takes, by law',
  );
