import type { AnsweredItem } from "../../pictures/index.ts";
import type { BacktestSlot } from "./createBacktest.ts";

/** Maximum length of a period in hours, by the unit of the period. */
const hours: Readonly<Record<string, number>> = {
  minute: 1 / 60,
  hour: 1,
  day: 24,
  week: 168,
  month: 744,
  quarter: 2_208,
  year: 8_784,
};
const hourMs = 3_600_000;
/** Number of past days on which a query without a datetime is tested. */
const triedDays = 30;

/** Returns the maximum length of a period in milliseconds. */
export const stepMsOf = (unit: string): number => (hours[unit] ?? 24) * hourMs;

/** Returns the start of each row's period; undefined for a row without a period. */
export function timesOf({ fields, rows }: AnsweredItem): readonly (number | undefined)[] {
  const at = fields.findIndex(({ type, level }) => type === "datetime" && level);
  if (at < 0) return [];
  return rows.map((row) => {
    const ms = Date.parse(String(row[at]));
    return Number.isNaN(ms) ? undefined : ms;
  });
}

/**
 * Returns the time range of a chart: from the start of its first period to one period after the end of its last period.
 * For a chart without a datetime, returns the last 30 days.
 */
export function spanOf(
  times: readonly (number | undefined)[],
  unit: string,
): { readonly from: string; readonly to?: string; readonly expectedCount: number } {
  const known = times.filter((at) => at !== undefined);
  const stepMs = stepMsOf(unit);
  if (known.length === 0) {
    const spanMs = triedDays * 24 * hourMs;
    return {
      from: new Date(Date.now() - spanMs).toISOString(),
      expectedCount: Math.ceil(spanMs / stepMs),
    };
  }
  const [from, to] = [Math.min(...known), Math.max(...known) + 2 * stepMs];
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    expectedCount: Math.ceil((to - from) / stepMs),
  };
}

/** Returns the rows of the periods after which a message would have been sent. */
export function firedRowsOf(
  times: readonly (number | undefined)[],
  unit: string,
  slots: readonly BacktestSlot[],
): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { slot_at: at, notices } of slots) {
    if (notices.length === 0) continue;
    const slotMs = Date.parse(at);
    const ended = times.flatMap((from, row) =>
      from !== undefined && endOf(from, unit) <= slotMs ? [{ from, row }] : [],
    );
    const last = Math.max(...ended.map(({ from }) => from));
    for (const { from, row } of ended) if (from === last) rows.add(row);
  }
  return rows;
}

/** Returns the end of the period that starts at the given instant. */
function endOf(atMs: number, unit: string): number {
  if (unit !== "month") return atMs + stepMsOf(unit);
  const end = new Date(atMs);
  return end.setUTCMonth(end.getUTCMonth() + 1);
}
