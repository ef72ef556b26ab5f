// Small charts of a product: its place among the others of its list, and its history.

import type { Past, Standing } from '../../../deal/product-card';
import { Fold } from '../ui/fields';
import { momentText } from '../ui/texts';
import { PAST_TITLES, PAST_WORDS, pastText, pastValueText, standingText } from './texts';

const [WIDTH, HEIGHT] = [268, 44];
/** Space for the mark at both ends. */
const EDGE = 8;
const MIDDLE = 22;

/**
 * Outliers would squeeze all others together, so this share of the values is drawn at the edges.
 */
const OUTER_SHARE = 0.02;

interface Scale {
  place(value: number): number;
  readonly least: number;
  readonly most: number;
}

function scaleOf(values: readonly number[], size: number, share = 0): Scale {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length * share);
  const [least = 0, most = 0] = [sorted[cut], sorted[sorted.length - 1 - cut]];
  const span = most - least || 1;
  const place = (value: number) =>
    EDGE + (Math.min(Math.max(value, least), most) - least) * ((size - 2 * EDGE) / span);
  return { place, least, most };
}

interface StripProps {
  readonly standing: Standing;
  readonly sign: string;
}

/** Every product of the list as a tick, with a mark for this one. */
export function Strip({ standing, sign }: StripProps) {
  const { measure, own, others } = standing;
  const { place, least, most } = scaleOf([...others, own], WIDTH, OUTER_SHARE);
  const text = (value: number) =>
    measure === 'Profit'
      ? pastValueText({ field: 'profit' }, value, { sign, isFraction: false })
      : pastValueText({ field: 'roi' }, value, { sign, isFraction: true });
  const words = standingText(standing, sign);
  const at = place(own);
  const ticks = others.map((value) => `M${place(value).toFixed(1)} ${MIDDLE - 7}v14`).join('');
  return (
    <figure class="strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        <line class="axis" x1={EDGE} x2={WIDTH - EDGE} y1={MIDDLE} y2={MIDDLE} />
        <path class="others" d={ticks} />
        <line class="own" x1={at} x2={at} y1={MIDDLE - 13} y2={MIDDLE + 13} />
        <circle class="own" cx={at} cy={MIDDLE} r="6" />
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{text(least)}</span>
        <span>{text(most)}</span>
      </div>
      <figcaption>{words}.</figcaption>
    </figure>
  );
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
  const x = scaleOf([beginMs, untilMs], WIDTH);
  const y = scaleOf(
    points.map(({ value }) => value),
    HEIGHT,
  );
  const up = (value: number) => HEIGHT - y.place(value);
  const steps = points.map(({ atMs, value }, at) => {
    const left = x.place(atMs ?? beginMs);
    return at === 0 ? `M${left} ${up(value)}` : `H${left}V${up(value)}`;
  });
  const text = (value: number) => pastValueText(past, value, { sign, isFraction });
  const [first, last] = [points[0], points[points.length - 1]];
  const end = last === undefined ? 0 : last.value;
  const words = pastText(text(first?.value ?? 0), text(end), points.length - 1);
  return (
    <figure class="past">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${PAST_TITLES[field]}: ${words}`}
      >
        <path class="line" d={`${steps.join('')}H${x.place(untilMs)}`} />
        <circle class="own" cx={x.place(untilMs)} cy={up(end)} r="4" />
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
