import { spreadOf, type Spread } from "../spread.ts";
import type { MeasuredQuery } from "./measureQueries.ts";
import type { SystemName } from "./systems/system.ts";

/** The store compared with the fastest of some systems on one query. */
export interface Standing {
  readonly query: string;
  readonly best: SystemName;
  readonly bestMs: number;
  /** The peer's median divided by our store's median. Above 1, our store is faster. */
  readonly ratio: number;
  /**
   * `win` if our slowest run is faster than the peer's fastest run, `LOSS` in the opposite case, otherwise `overlap`.
   */
  readonly verdict: "win" | "overlap" | "LOSS";
}

export const isDuckdb = (name: SystemName) => name.startsWith("duckdb");
export const isOtherPeer = (name: SystemName) => name !== "strata" && !isDuckdb(name);

/** Returns the spread of a system's times on a query, or undefined if no run is counted. */
export function spreadOn({ systems }: MeasuredQuery, name: SystemName): Spread | undefined {
  const measured = systems.get(name);
  return measured && measured.durations.length > 0 ? spreadOf(measured.durations) : undefined;
}

/**
 * Compares our store with the fastest system that answered. Returns undefined if no system answered or our store has no
 * time.
 */
export function standingOf(
  measured: MeasuredQuery,
  isCandidate: (name: SystemName) => boolean,
): Standing | undefined {
  const ours = spreadOn(measured, "strata");
  const candidates = [...measured.systems.keys()].filter(isCandidate).flatMap((name) => {
    const spread = spreadOn(measured, name);
    return spread ? [{ name, spread }] : [];
  });
  const [best] = candidates.toSorted((one, other) => one.spread.median - other.spread.median);
  if (!ours || !best) return undefined;
  const { min, median, max } = best.spread;
  return {
    query: measured.query.name,
    best: best.name,
    bestMs: median,
    ratio: median / ours.median,
    verdict: ours.max < min ? "win" : ours.min > max ? "LOSS" : "overlap",
  };
}

/** Returns the geometric mean, or NaN for an empty list. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export const shownMs = (ms: number | undefined) =>
  ms === undefined ? "-" : ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0);

/** Formats rows as a table. The first column is aligned to the left, and all other columns to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ")}`.trimEnd();
  return [line(head), ...rows.map(line)].join("\n");
}
