// A small chart of a product's history.

import type { Past } from '../../../deal/product-card';
import { nowMs } from '../ui/app';
import { Unfold } from '../ui/doing';
import { amountText, countText, momentText, ratioText } from '../ui/texts';

const WIDTH = 268;
const HEIGHT = 44;
/** Space for the mark at both ends. */
const EDGE = 8;

/** Maps a value to its place between the lowest and the highest of these values, in pixels. */
function placesOf(values: readonly number[], size: number): (value: number) => number {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  return (value) => EDGE + (value - least) * ((size - 2 * EDGE) / span);
}

const TITLES = { roi: 'ROI over time', profit: 'Profit over time' } as const;

interface PastProps {
  readonly past: Past;
  readonly sign: string;
  readonly isFraction: boolean;
}

/**
 * The share of the line for the value before the first logged change, which had held for an unknown
 * time.
 */
const BEFORE_SHARE = 0.12;

/** A line in steps, because a value holds until it changes. */
export function PastLine({ past, sign, isFraction }: PastProps) {
  const { field, points, untilMs } = past;
  const told = points.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  const firstMs = Math.min(...told);
  const span = Math.max(untilMs - firstMs, 1);
  const beginMs = firstMs - span * BEFORE_SHARE;
  const x = placesOf([beginMs, untilMs], WIDTH);
  const y = placesOf(
    points.map(({ value }) => value),
    HEIGHT,
  );
  const up = (value: number) => HEIGHT - y(value);
  const steps = points.map(({ atMs, value }, at) => {
    const left = x(atMs ?? beginMs);
    return at === 0 ? `M${left} ${up(value)}` : `H${left}V${up(value)}`;
  });
  const text = (value: number): string => {
    if (field === 'profit') return amountText(sign, value);
    return isFraction ? ratioText(value) : value.toLocaleString();
  };
  const first = points[0];
  const last = points[points.length - 1];
  const end = last === undefined ? 0 : last.value;
  const changes = countText(points.length - 1, 'change');
  const words = `From ${text(first?.value ?? 0)} to ${text(end)} in ${changes}`;
  return (
    <section aria-label={TITLES[field]}>
      <h2 class="deal-head">{TITLES[field]}</h2>
      <figure class="past">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={`${TITLES[field]}: ${words}`}
        >
          <path class="line" d={`${steps.join('')}H${x(untilMs)}`} />
          <circle class="own" cx={x(untilMs)} cy={up(end)} r="4" />
        </svg>
        <figcaption>{words}.</figcaption>
        <Unfold id="deals-past" name="All values">
          <table class="values">
            <thead>
              <tr>
                <th scope="col">Since</th>
                <th scope="col">{field === 'roi' ? 'ROI' : 'Profit'}</th>
              </tr>
            </thead>
            <tbody>
              {[...points].reverse().map(({ atMs, value }) => (
                <tr key={atMs ?? 'before'}>
                  <td>{atMs === null ? 'Before that' : momentText(atMs, nowMs())}</td>
                  <td>{text(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Unfold>
      </figure>
    </section>
  );
}
