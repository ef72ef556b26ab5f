// Draws a SPARKLINE as Sheets does: a thin line across its cell, or bars beside each other.
import type { ICellCustomRender } from '@univerjs/core';
import type { ShownSparkline } from '../protocol';

/** Distance in pixels between the picture and the grid lines. */
const EDGE = 3;
const LINE = '#4285f4';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** For Univer, which draws cells on a canvas and asks what each contains besides its text. */
export const pictureOf = ({ type, points }: ShownSparkline): ICellCustomRender => ({
  drawWith: (context, { primaryWithCoord: { startX, endX, startY, endY } }) => {
    const box = {
      ...{ left: startX + EDGE, right: endX - EDGE },
      ...{ top: startY + EDGE, bottom: endY - EDGE },
    };
    context.save();
    context.strokeStyle = LINE;
    context.fillStyle = LINE;
    if (type === 'line') drawLine(context, points, box);
    else drawColumns(context, type === 'winloss' ? points.map(Math.sign) : points, box);
    context.restore();
  },
});

/** Maps a value to its height. Values that are all equal lie in the middle. */
function heightIn(points: readonly number[], { top, bottom }: Box) {
  const [low, high] = [Math.min(...points), Math.max(...points)];
  return (value: number) =>
    high === low ? (top + bottom) / 2 : bottom - ((value - low) / (high - low)) * (bottom - top);
}

function drawLine(context: CanvasRenderingContext2D, points: readonly number[], box: Box): void {
  const y = heightIn(points, box);
  const step = (box.right - box.left) / Math.max(1, points.length - 1);
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.beginPath();
  const [first = 0] = points;
  context.moveTo(box.left, y(first));
  // A single point is also drawn as a line.
  if (points.length === 1) context.lineTo(box.right, y(first));
  for (const [at, value] of points.entries()) context.lineTo(box.left + at * step, y(value));
  context.stroke();
}

/** Draws columns up and down from zero. Bars that lie beside each other are drawn the same way. */
function drawColumns(context: CanvasRenderingContext2D, points: readonly number[], box: Box): void {
  const y = heightIn([...points, 0], box);
  const step = (box.right - box.left) / points.length;
  for (const [at, value] of points.entries())
    context.fillRect(
      box.left + at * step,
      y(Math.max(0, value)),
      step * 0.8,
      Math.abs(y(value) - y(0)),
    );
}
