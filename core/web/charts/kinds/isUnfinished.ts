import type { ChartColumn } from "../answer/chartColumn.ts";
import type { TimeScale } from "../axes/timeScale.ts";
import { wallClock } from "../format/wallClock.ts";
import type { Frame } from "../frame/frame.ts";

/** How much of the opacity of finished periods the marks of an unfinished period have. */
export const unfinishedOpacity = 0.5;

/**
 * Returns whether the last period of a picture has not ended, so that its values will still change. A note says so.
 * Without the current time in the request, all periods count as finished.
 */
export function isUnfinished(
  { request: { nowMs, timezoneId }, notes, words }: Frame,
  column: ChartColumn | undefined,
  scale: TimeScale,
): boolean {
  if (nowMs === undefined || column === undefined) return false;
  const now = { instantMs: nowMs, wallMs: wallClock(nowMs, timezoneId) };
  if (!scale.isInLast(now)) return false;
  notes.push(`${column.text(scale.last.cell)}: ${words.unfinished}`);
  return true;
}
