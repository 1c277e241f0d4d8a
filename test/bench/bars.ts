/** A promised limit, and the measured figure in this run. */
export interface Bar {
  readonly promise: string;
  /** The figure; undefined if this run did not measure everything from which the figure is computed. */
  readonly figure: number | undefined;
  readonly bound: number;
  readonly isLeast: boolean;
  readonly unit: string;
}

export const atLeast = (
  promise: string,
  figure: number | undefined,
  bound: number,
  unit = "x",
): Bar => ({ promise, figure, bound, isLeast: true, unit });

export const atMost = (
  promise: string,
  figure: number | undefined,
  bound: number,
  unit = "x",
): Bar => ({ promise, figure, bound, isLeast: false, unit });

/** Returns whether a promise is met. A promise that was not measured does not count as met. */
function holds({ figure, bound, isLeast }: Bar): boolean {
  if (figure === undefined || Number.isNaN(figure)) return false;
  return isLeast ? figure >= bound : figure <= bound;
}

export function showBar(bar: Bar): string {
  const { promise, figure, bound, isLeast, unit } = bar;
  const verdict = figure === undefined ? "NOT MEASURED" : holds(bar) ? "pass" : "FAIL";
  const shown = figure === undefined ? "-" : `${figure.toFixed(2)} ${unit}`;
  return `  ${verdict.padEnd(13)}${promise.padEnd(78)}${shown.padStart(14)}   (${isLeast ? "at least" : "at most"} ${bound} ${unit})`;
}

/** Prints the promises. The process exits with a failure if a measured promise is not met. */
export function reportBars(bars: readonly Bar[]): void {
  process.stdout.write(`\n${bars.map((bar) => `${showBar(bar)}\n`).join("")}`);
  if (bars.some((bar) => bar.figure !== undefined && !holds(bar))) process.exitCode = 1;
}
