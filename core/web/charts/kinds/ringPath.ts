type Corner = readonly [x: number, y: number];

const rounded = (value: number): number => Math.round(value * 100) / 100;
const to = (command: string, ...numbers: readonly number[]): string =>
  command + numbers.map(rounded).join(",");

/** The share of the distance between the neighbours of a corner that a curve leaves it by. */
const stretch = (1 - 0.3) / 6;

/**
 * Returns the path of a closed line through corners, in hundredths of pixels: straight, or a closed cardinal spline.
 */
export function ringPath(corners: readonly Corner[], isRound: boolean): string {
  const [first, ...others] = corners;
  if (!first) return "";
  if (!isRound || corners.length < 3)
    return `${to("M", ...first)}${others.map((corner) => to("L", ...corner)).join("")}Z`;
  const at = (index: number): Corner => corners[index % corners.length] ?? first;
  const curves = corners.map((_, index) => {
    const [before, begin, end, after] = [at(index), at(index + 1), at(index + 2), at(index + 3)];
    return to(
      "C",
      begin[0] + stretch * (end[0] - before[0]),
      begin[1] + stretch * (end[1] - before[1]),
      end[0] + stretch * (begin[0] - after[0]),
      end[1] + stretch * (begin[1] - after[1]),
      ...end,
    );
  });
  return to("M", ...at(1)) + curves.join("");
}
