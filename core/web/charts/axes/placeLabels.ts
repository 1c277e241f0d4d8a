/** A label on an axis, with its middle and width in pixels. */
interface Label {
  readonly at: number;
  readonly width: number;
}

/**
 * Returns the smallest step at which shown labels do not touch each other. Step 1 shows every label, step 2 every
 * second label.
 */
export function labelStep(labels: readonly Label[], gap = 8): number {
  for (let step = 1; step < labels.length; step++) {
    let end = -Infinity;
    const fits = labels.every(({ at, width }, index) => {
      if (index % step !== 0) return true;
      if (at - width / 2 < end + gap) return false;
      end = at + width / 2;
      return true;
    });
    if (fits) return step;
  }
  return Math.max(1, labels.length);
}

/**
 * Moves labels apart along a line, as little as needed, and keeps them between the ends of the line. `wanted` contains
 * the preferred middle of each label. The result has the same order.
 */
export function spreadLabels(
  wanted: readonly number[],
  height: number,
  [from, to]: readonly [number, number],
): number[] {
  const order = wanted
    .map((at, index) => ({ at, index }))
    .toSorted((one, other) => one.at - other.at);
  let end = from;
  for (const label of order) {
    label.at = Math.max(label.at, end + height / 2);
    end = label.at + height / 2;
  }
  let start = to;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, start - height / 2);
    start = label.at - height / 2;
  }
  const placed = [...wanted];
  for (const { at, index } of order) placed[index] = at;
  return placed;
}
