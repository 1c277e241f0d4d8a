import { warmFloorMsOf, type Bandwidth } from "./bandwidth.ts";
import { atLeast, atMost, type Bar } from "../bars.ts";
import { bytesPerRowOf } from "./bytesPerRow.ts";
import type { ColumnSize } from "./measureColumns.ts";
import type { MeasuredQuery } from "./measureQueries.ts";
import { floorMsOf } from "./readInTurn.ts";
import {
  geometricMean,
  isDuckdb,
  isOtherPeer,
  shownMs,
  spreadOn,
  standingOf,
  table,
  type Standing,
} from "./report.ts";

/** By query, the maximum ratio of a query's time to the time that reading its columns from memory takes. */
const floorBounds: Readonly<Record<string, number>> = {
  Q1: 2.5,
  Q2: 2.5,
  Q10: 2.5,
  Q13: 2.5,
  Q8: 6,
};

const queryCount = 18;

/** Formats a query's measurements as a line: medians in milliseconds, and the systems that do not count. */
export function showMeasured(measured: MeasuredQuery): string {
  const cells = [...measured.systems].map(([name, { refusal }]) =>
    refusal === undefined ? `${name} ${shownMs(spreadOn(measured, name)?.median)}` : `${name} -`,
  );
  const refusals = [...measured.systems].flatMap(([name, { refusal }]) =>
    refusal === undefined || refusal.includes("not offered") ? [] : [`\n      ${name}: ${refusal}`],
  );
  return `  ${measured.query.name.padEnd(5)} ${cells.join("  ")}${refusals.join("")}`;
}

/** Reports the ratios of the random queries to the best DuckDB. */
export function reportRandom(
  measured: readonly MeasuredQuery[],
  print: (line: string) => void,
): unknown {
  const rows = measured.map((each) => {
    const standing = standingOf(each, isDuckdb);
    return { each, standing };
  });
  print(
    table(
      ["random", "ours ms", "DuckDB ms", "ratio", "verdict"],
      rows.map(({ each, standing }) => [
        each.query.name,
        shownMs(spreadOn(each, "strata")?.median),
        shownMs(standing?.bestMs),
        standing ? standing.ratio.toFixed(2) : "-",
        standing?.verdict ?? "no answer",
      ]),
    ),
  );
  const standings = rows.flatMap(({ standing }) => standing ?? []);
  const mean = geometricMean(standings.map(({ ratio }) => ratio));
  print(
    `  geometric mean ${mean.toFixed(2)} of ${standings.length} of ${measured.length}; ${tally(standings)}`,
  );
  return {
    geometricMean: mean,
    queries: measured.map((each) => ({ ...plain(each), duckdb: each.query.duckdb })),
  };
}

/** Prints the tables of the 18 queries. Returns the promises about these queries, with their measured figures. */
export function reportQueries({
  measured,
  rowCount,
  sizes,
  bandwidth,
  print,
}: {
  readonly measured: readonly MeasuredQuery[];
  readonly rowCount: number;
  readonly sizes: readonly ColumnSize[] | undefined;
  readonly bandwidth: readonly Bandwidth[] | undefined;
  readonly print: (line: string) => void;
}): { readonly report: unknown; readonly bars: readonly Bar[] } {
  const names = [...(measured[0]?.systems.keys() ?? [])];
  print("\n  medians in milliseconds");
  print(
    table(
      ["query", ...names],
      measured.map((each) => [
        each.query.name,
        ...names.map((name) => shownMs(spreadOn(each, name)?.median)),
      ]),
    ),
  );
  const rows = measured.map((each) => ({
    each,
    name: each.query.name,
    ours: spreadOn(each, "strata"),
    duckdb: standingOf(each, isDuckdb),
    peer: standingOf(each, isOtherPeer),
    ...(sizes && floorsOf(each, rowCount, sizes, bandwidth)),
  }));
  print(
    "\n  our store with minimum and maximum, compared with the best DuckDB, the best other peer and the memory floors",
  );
  print(
    table(
      [
        "query",
        "ours",
        "min",
        "max",
        "DuckDB",
        "which",
        "ratio",
        "",
        "peer",
        "which",
        "ratio",
        "",
        "floor",
        "x floor",
        "warm",
        "x warm",
      ],
      rows.map(({ name, ours, duckdb, peer, floorMs, warmFloorMs }) => [
        name,
        shownMs(ours?.median),
        shownMs(ours?.min),
        shownMs(ours?.max),
        ...columnsOf(duckdb),
        ...columnsOf(peer),
        ...[floorMs, warmFloorMs].flatMap((ms) => [
          shownMs(ms),
          ours && ms !== undefined ? (ours.median / ms).toFixed(1) : "-",
        ]),
      ]),
    ),
  );
  const duckdb = rows.flatMap((row) => row.duckdb ?? []);
  const peers = rows.flatMap((row) => row.peer ?? []);
  const meanOfAll = (standings: readonly Standing[]) =>
    standings.length === queryCount
      ? geometricMean(standings.map(({ ratio }) => ratio))
      : undefined;
  for (const [title, standings] of [
    ["DuckDB", duckdb],
    ["the other peers", peers],
  ] as const)
    if (standings.length > 0)
      print(
        `  compared with the best of ${title}: geometric mean ${geometricMean(standings.map(({ ratio }) => ratio)).toFixed(2)} of ${standings.length}; ${tally(standings)}`,
      );
  const hasPeers = names.some(isOtherPeer);
  const bars: Bar[] = [
    atLeast("18 queries, geometric mean relative to the best DuckDB of each", meanOfAll(duckdb), 6),
    ...(hasPeers
      ? [
          atLeast(
            "18 queries, geometric mean relative to the best other peer of each",
            meanOfAll(peers),
            4,
          ),
        ]
      : []),
    ...Object.entries(floorBounds).map(([name, bound]) => {
      const row = rows.find((each) => each.name === name);
      const figure =
        row?.ours && row.floorMs !== undefined ? row.ours.median / row.floorMs : undefined;
      return atMost(`${name} relative to its memory floor`, figure, bound);
    }),
  ];
  return {
    report: rows.map(({ each, duckdb, peer, floorMs, warmFloorMs }) => ({
      ...plain(each),
      duckdb,
      peer,
      floorMs,
      warmFloorMs,
    })),
    bars,
  };
}

function columnsOf(standing: Standing | undefined): string[] {
  return standing
    ? [shownMs(standing.bestMs), standing.best, standing.ratio.toFixed(2), standing.verdict]
    : ["-", "-", "-", ""];
}

function tally(standings: readonly Standing[]): string {
  return (["win", "overlap", "LOSS"] as const)
    .map((verdict) => {
      const names = standings.filter((each) => each.verdict === verdict);
      return `${verdict} ${names.length}${verdict === "win" || names.length === 0 ? "" : ` (${names.map(({ query }) => query).join(" ")})`}`;
    })
    .join(", ");
}

function plain({ query, systems }: MeasuredQuery): Record<string, unknown> {
  return { name: query.name, systems: Object.fromEntries(systems) };
}

/**
 * Returns the milliseconds that two threads need to read a query's columns once, in our storage form, for the rows that
 * remain after pruning. Returns two figures. One is measured when the reader takes turns with the systems, the other
 * with warm caches, by reading the same bytes repeatedly.
 */
function floorsOf(
  { query, systems, readings }: MeasuredQuery,
  rowCount: number,
  sizes: readonly ColumnSize[],
  bandwidth: readonly Bandwidth[] | undefined,
): { readonly floorMs?: number; readonly warmFloorMs?: number } {
  const scannedRowCount = systems.get("strata")?.scannedRowCount ?? rowCount;
  const bytes = bytesPerRowOf(query.plan, sizes) * scannedRowCount;
  return {
    ...(readings.length > 0 && { floorMs: floorMsOf(bytes, readings) }),
    ...(bandwidth && { warmFloorMs: warmFloorMsOf(bytes, bandwidth) }),
  };
}
