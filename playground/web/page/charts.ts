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
const COLOURS = ['#0b57d0', '#f2b73f'];

function figureOf(chart: ShownChart): HTMLElement {
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
  drawing.setAttribute('aria-label', spoken(chart));
  drawing.append(...columns(chart));
  const legend = chart.series.map((name, at) => {
    const entry = make('span', {}, name);
    entry.style.setProperty('--series', COLOURS[at % COLOURS.length] ?? '');
    return entry;
  });
  const caption = make('figcaption', {}, chart.title, ...legend);
  return make('figure', {}, caption, drawing);
}

function spoken({ title, series, points }: ShownChart): string {
  const said = series.map((name, at) => {
    const values = points.map(([label, values]) => `${label} ${shown(values[at] ?? 0)}`);
    return `${name}: ${values.join(', ')}`;
  });
  return `${title}. ${said.join('. ')}`;
}

const shown = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** The columns of all series stand beside each other over each label. */
function columns({ points }: ShownChart): SVGElement[] {
  const most = Math.max(1e-9, ...points.flatMap(([, values]) => values));
  const step = INNER.width / Math.max(1, points.length);
  const floor = HEIGHT - EDGE.bottom;
  const drawn = points.flatMap(([label, values], at) => {
    const middle = EDGE.left + (at + 0.5) * step;
    const width = (step * 0.6) / Math.max(1, values.length);
    const bars = values.flatMap((value, of) => {
      const height = (Math.max(0, value) / most) * INNER.height;
      const x = middle + (of - values.length / 2) * width;
      const fill = COLOURS[of % COLOURS.length] ?? '';
      return [
        svg('rect', { x, y: floor - height, width, height, fill }),
        words(shown(value), x + width / 2, floor - height - 4),
      ];
    });
    const lines = linesOf(label, step).map((text, line) =>
      words(text, middle, floor + 14 + line * 12),
    );
    return [...bars, ...lines];
  });
  return [line(EDGE.left, floor, WIDTH - EDGE.right, floor), ...drawn];
}

/** Splits a label that is too long for its place into two lines. */
function linesOf(label: string, width: number): readonly string[] {
  const cut = label.length * LETTER > width ? label.lastIndexOf(' ') : -1;
  return cut < 0 ? [label] : [label.slice(0, cut), label.slice(cut + 1)];
}

const line = (x1: number, y1: number, x2: number, y2: number) =>
  svg('line', { x1, y1, x2, y2, stroke: '#bdc1c6' });

function words(text: string, x: number, y: number): SVGElement {
  const made = svg('text', { x, y, 'text-anchor': 'middle' });
  made.textContent = text;
  return made;
}

function svg(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
