// Draws the charts of the sheet in view beside the grid, which cannot float them over its cells as
// Sheets does.
import type { SheetLook, ShownChart } from '../protocol';
import { element, make } from './elements';
import type { Grid } from './grid';

export interface Charts {
  readonly show: (looks: readonly SheetLook[]) => void;
}

export function createCharts(grid: Grid, onResize: () => void): Charts {
  const pane = element('charts', HTMLElement);
  // Keyboard users scroll the pane with keys, so it must be focusable.
  pane.tabIndex = 0;
  const bySheet = new Map<string, SheetLook['charts']>();
  const draw = (sheetId: string | undefined): void => {
    const charts = bySheet.get(sheetId ?? '') ?? [];
    const wasHidden = pane.hidden;
    pane.hidden = charts.length === 0;
    pane.replaceChildren(...charts.map(figureOf));
    if (pane.hidden !== wasHidden) onResize();
  };
  const onView = () => grid.api.getActiveWorkbook()?.getActiveSheet().getSheetId();
  grid.api.addEvent(grid.api.Event.ActiveSheetChanged, ({ activeSheet }) =>
    draw(activeSheet.getSheetId()),
  );
  return {
    show: (looks) => {
      bySheet.clear();
      for (const { sheetId, charts } of looks) bySheet.set(sheetId, charts);
      draw(onView());
    },
  };
}

const [WIDTH, HEIGHT] = [340, 180];
const EDGE = { left: 12, right: 12, top: 18, bottom: 34 };
const INNER = {
  width: WIDTH - EDGE.left - EDGE.right,
  height: HEIGHT - EDGE.top - EDGE.bottom,
};
/** Approximate width of a label's letter in pixels. */
const LETTER = 7;
const COLOURS = ['#0b57d0', '#f2b73f', '#80868b', '#bdc1c6'];

function figureOf(chart: ShownChart): HTMLElement {
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
  drawing.setAttribute('aria-label', spoken(chart));
  drawing.append(...DRAWN[chart.type](chart.points));
  return make('figure', {}, make('figcaption', {}, chart.title), drawing);
}

const spoken = ({ type, title, points }: ShownChart): string =>
  type === 'SCATTER'
    ? `${title}: ${points.length} points`
    : `${title}: ${points.map(([label, value]) => `${label} ${shown(value)}`).join(', ')}`;

const shown = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

type Points = ShownChart['points'];

const DRAWN: Readonly<Record<ShownChart['type'], (points: Points) => SVGElement[]>> = {
  COLUMN: columns,
  PIE: pie,
  SCATTER: scatter,
};

function columns(points: Points): SVGElement[] {
  const most = Math.max(1e-9, ...points.map(([, value]) => value));
  const step = INNER.width / Math.max(1, points.length);
  const floor = HEIGHT - EDGE.bottom;
  const drawn = points.flatMap(([label, value], at) => {
    const height = (Math.max(0, value) / most) * INNER.height;
    const [x, middle] = [EDGE.left + at * step + step * 0.2, EDGE.left + (at + 0.5) * step];
    return [
      svg('rect', { x, y: floor - height, width: step * 0.6, height, fill: COLOURS[0] ?? '' }),
      words(shown(value), middle, floor - height - 4),
      ...linesOf(String(label), step).map((text, line) =>
        words(text, middle, floor + 14 + line * 12),
      ),
    ];
  });
  return [line(EDGE.left, floor, WIDTH - EDGE.right, floor), ...drawn];
}

/** Splits a label that is too long for its place into two lines. */
function linesOf(label: string, width: number): readonly string[] {
  const cut = label.length * LETTER > width ? label.lastIndexOf(' ') : -1;
  return cut < 0 ? [label] : [label.slice(0, cut), label.slice(cut + 1)];
}

function pie(points: Points): SVGElement[] {
  const total = points.reduce((sum, [, value]) => sum + value, 0);
  const [x, y, radius] = [90, HEIGHT / 2, 72];
  const round = 2 * Math.PI * (radius / 2);
  let before = 0;
  return points.flatMap(([label, value], at) => {
    const share = total === 0 ? 0 : value / total;
    const stroke = COLOURS[at % COLOURS.length] ?? '';
    const piece = svg('circle', {
      ...{ cx: x, cy: y, r: radius / 2, fill: 'none', stroke, 'stroke-width': radius },
      'stroke-dasharray': `${share * round} ${round}`,
      transform: `rotate(${before * 360 - 90} ${x} ${y})`,
    });
    before += share;
    const row = 60 + at * 24;
    return [
      piece,
      svg('rect', { x: 190, y: row - 9, width: 10, height: 10, fill: stroke }),
      words(`${label}: ${shown(value)}`, 208, row, 'start'),
    ];
  });
}

function scatter(points: Points): SVGElement[] {
  const placed = points.map(([x, y]) => ({ x: Number(x), y }));
  const [left, right] = ends(placed.map(({ x }) => x));
  const [low, high] = ends(placed.map(({ y }) => y));
  const across = (x: number) => EDGE.left + ((x - left) / (right - left)) * INNER.width;
  const up = (y: number) => HEIGHT - EDGE.bottom - ((y - low) / (high - low)) * INNER.height;
  return [
    line(EDGE.left, up(0), WIDTH - EDGE.right, up(0)),
    line(across(0), EDGE.top, across(0), HEIGHT - EDGE.bottom),
    ...placed.map(({ x, y }) =>
      svg('circle', {
        cx: across(x),
        cy: up(y),
        r: 4,
        fill: COLOURS[0] ?? '',
        'fill-opacity': 0.6,
      }),
    ),
    words(shown(right), WIDTH - EDGE.right, HEIGHT - 6, 'end'),
    words(shown(high), EDGE.left + 4, EDGE.top - 4, 'start'),
    words(shown(low), EDGE.left + 4, HEIGHT - 6, 'start'),
  ];
}

/** The range of the axis. It includes zero and never has zero length. */
function ends(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return [low, high === low ? low + 1 : high];
}

const line = (x1: number, y1: number, x2: number, y2: number) =>
  svg('line', { x1, y1, x2, y2, stroke: '#bdc1c6' });

function words(text: string, x: number, y: number, anchor = 'middle'): SVGElement {
  const made = svg('text', { x, y, 'text-anchor': anchor });
  made.textContent = text;
  return made;
}

function svg(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
