import type { Frame } from "../frame/frame.ts";
import type { AxisLook } from "./axisLook.ts";
import type { ValueAxis } from "./valueAxis.ts";

/**
 * Adds the notes that keep an axis from misleading: it does not start at 0, is logarithmic, or leaves out values. Each
 * note is added once, even for two axes.
 */
export function noteAxis(
  { notes, words }: Frame,
  axis: ValueAxis,
  {
    look,
    values,
    mayLackZero = false,
  }: {
    readonly look: AxisLook;
    readonly values: readonly number[];
    /** Whether readers expect 0 to be missing, as in scatter plots. */
    readonly mayLackZero?: boolean;
  },
): void {
  const isOmitted = axis.isLog && values.some((value) => value <= 0);
  const isBeyond = values.some(
    (value) => value > axis.high || (value < axis.low && !(axis.isLog && value <= 0)),
  );
  const found = [
    axis.isLog && words.logAxis,
    !axis.isLog && look.logBase !== undefined && words.linearAxis,
    !mayLackZero && !axis.isLog && (axis.low > 0 || axis.high < 0) && words.notFromZero,
    isOmitted && words.notOnLog,
    isBeyond && words.beyondAxis,
  ];
  for (const note of found) if (note !== false && !notes.includes(note)) notes.push(note);
}
