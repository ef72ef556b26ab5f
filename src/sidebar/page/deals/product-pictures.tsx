// A small chart of a product's history.

import type { Past } from '../../../deal/product-card';
import { Fold } from '../ui/fields';
import { momentText } from '../ui/texts';
import { PAST_TITLES, PAST_WORDS, pastText, pastValueText } from './texts';

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

interface PastProps {
  readonly past: Past;
  readonly sign: string;
  readonly isFraction: boolean;
  readonly nowMs: number;
  readonly isOpen: boolean;
  toggle(isOpen: boolean): void;
}

/**
 * The share of the line for the value before the first logged change, which had held for an unknown
 * time.
 */
const BEFORE_SHARE = 0.12;

/** A line in steps, because a value holds until it changes. */
export function PastLine({ past, sign, isFraction, nowMs, isOpen, toggle }: PastProps) {
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
  const text = (value: number) => pastValueText(past, value, { sign, isFraction });
  const first = points[0];
  const last = points[points.length - 1];
  const end = last === undefined ? 0 : last.value;
  const words = pastText(text(first?.value ?? 0), text(end), points.length - 1);
  return (
    <figure class="past">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${PAST_TITLES[field]}: ${words}`}
      >
        <path class="line" d={`${steps.join('')}H${x(untilMs)}`} />
        <circle class="own" cx={x(untilMs)} cy={up(end)} r="4" />
      </svg>
      <figcaption>{words}.</figcaption>
      <Fold id="deals-past" name={PAST_WORDS.all} isOpen={isOpen} toggle={toggle}>
        <table class="values">
          <thead>
            <tr>
              <th scope="col">{PAST_WORDS.since}</th>
              <th scope="col">{PAST_WORDS[field]}</th>
            </tr>
          </thead>
          <tbody>
            {[...points].reverse().map(({ atMs, value }) => (
              <tr key={atMs ?? 'before'}>
                <td>{atMs === null ? PAST_WORDS.before : momentText(atMs, nowMs)}</td>
                <td>{text(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </figure>
  );
}
