import { atLeast, type Bar } from "../bars.ts";
import { spreadOf } from "../spread.ts";
import type { MeasuredQuestion, SideName, Times } from "./measurePart.ts";
import type { PublicPart } from "./publicPart.ts";

type Clock = "wall" | "processor";

const geometricMean = (figures: readonly number[]) =>
  Math.exp(figures.reduce((sum, figure) => sum + Math.log(figure), 0) / figures.length);

const medianOf = (times: Times | undefined, clock: Clock): number | undefined =>
  times && times.refusal === undefined ? spreadOf(times[clock]).median : undefined;

/** Returns the lowest median of the systems whose names start with a prefix; undefined if none was measured. */
function bestOf({ sides }: MeasuredQuestion, prefix: string, clock: Clock): number | undefined {
  const medians = [...sides].flatMap(([name, times]) =>
    name.startsWith(prefix) ? (medianOf(times, clock) ?? []) : [],
  );
  return medians.length > 0 ? Math.min(...medians) : undefined;
}

const shown = (figure: number | undefined, digits = 1) =>
  (figure === undefined ? "-" : figure.toFixed(digits)).padStart(10);

const ratio = (peer: number | undefined, own: number | undefined) =>
  peer === undefined || own === undefined ? undefined : peer / own;

export const heading = `  ${"".padEnd(9)}${["rows", "host", "engine", "DuckDB", "ClickHouse", "× DuckDB", "× best", "host CPU", "engine CPU", "DuckDB CPU", "× CPU"].map((word) => word.padStart(11)).join("")}`;

/** Returns the line of a question: medians in milliseconds, and ratios of a peer's time to the time of the host. */
export function showQuestion(measured: MeasuredQuestion): string {
  const { question, rowCount, sides } = measured;
  const of = (name: SideName, clock: Clock) => medianOf(sides.get(name), clock);
  const [host, engine] = [of("host", "wall"), of("engine", "wall")];
  const duckdb = bestOf(measured, "duckdb", "wall");
  const clickhouse = bestOf(measured, "clickhouse", "wall");
  const best = Math.min(duckdb ?? Infinity, clickhouse ?? Infinity);
  const processor = [
    of("host", "processor"),
    of("engine", "processor"),
    bestOf(measured, "duckdb", "processor"),
  ];
  const figures = [
    shown(host),
    shown(engine),
    shown(duckdb),
    shown(clickhouse),
    shown(ratio(duckdb, host), 2),
    shown(ratio(best, host), 2),
    ...processor.map((figure) => shown(figure)),
    shown(ratio(processor[2], processor[0]), 2),
  ];
  const refusals = [...sides].flatMap(([name, { refusal }]) =>
    refusal === undefined || (name === "engine" && refusal.startsWith("the host computes"))
      ? []
      : [`\n    ${name} was not timed: ${refusal.slice(0, 300)}`],
  );
  return `  ${question.name.padEnd(9)}${String(rowCount).padStart(11)}${figures.map((figure) => figure.padStart(11)).join("")}${refusals.join("")}`;
}

/**
 * Prints wins, losses and geometric means of a part, and returns its bars. A win or a loss is a difference to the
 * fastest peer in which the runs do not overlap.
 */
export function reportPart(
  part: PublicPart,
  measured: readonly MeasuredQuestion[],
  print: (line: string) => void,
): readonly Bar[] {
  const ratios = (peer: "duckdb" | "clickhouse" | "", side: SideName, clock: Clock) =>
    measured.flatMap((each) => {
      const own = medianOf(each.sides.get(side), clock);
      const peers =
        peer === ""
          ? Math.min(
              bestOf(each, "duckdb", clock) ?? Infinity,
              bestOf(each, "clickhouse", clock) ?? Infinity,
            )
          : bestOf(each, peer, clock);
      return own === undefined || peers === undefined ? [] : [peers / own];
    });
  const named: Record<"faster" | "overlapping" | "slower", string[]> = {
    faster: [],
    overlapping: [],
    slower: [],
  };
  for (const { question, sides } of measured) {
    const own = sides.get("host");
    if (!own || own.refusal !== undefined) continue;
    const host = spreadOf(own.wall);
    const peers = [...sides].flatMap(([name, times]) =>
      name === "host" || name === "engine" || times.refusal !== undefined
        ? []
        : [spreadOf(times.wall)],
    );
    const best = peers.toSorted((one, other) => one.median - other.median)[0];
    if (!best) continue;
    const verdict = host.max < best.min ? "faster" : host.min > best.max ? "slower" : "overlapping";
    named[verdict].push(`${question.name} ${(best.median / host.median).toFixed(2)}`);
  }
  print("");
  for (const [verdict, names] of Object.entries(named))
    print(`  ${verdict.padEnd(12)}${String(names.length).padStart(3)}  ${names.join(", ")}`);
  for (const { name, reason } of part.unsaid) print(`  cannot be said: ${name}, ${reason}`);
  print(
    `\n  ${"geometric means of peer / own time".padEnd(38)}${["DuckDB", "ClickHouse", "best peer", "DuckDB CPU"].map((word) => word.padStart(12)).join("")}`,
  );
  for (const side of ["host", "engine"] as const)
    print(
      `  ${(side === "host" ? "over HTTP" : "the engine in process").padEnd(38)}${[
        ratios("duckdb", side, "wall"),
        ratios("clickhouse", side, "wall"),
        ratios("", side, "wall"),
        ratios("duckdb", side, "processor"),
      ]
        .map((each) => (each.length > 0 ? geometricMean(each).toFixed(2) : "-").padStart(12))
        .join("")}`,
    );
  const { bars, name } = part;
  const best = ratios("", "host", "wall");
  const isWhole = best.length === measured.length;
  return [
    atLeast(
      `${name}: geometric mean of the speedup over DuckDB`,
      isWhole ? geometricMean(ratios("duckdb", "host", "wall")) : Number.NaN,
      bars.duckdb,
    ),
    atLeast(
      `${name}: geometric mean of the speedup over the fastest peer`,
      isWhole ? geometricMean(best) : Number.NaN,
      bars.peers,
    ),
    atLeast(
      `${name}: speedup of the slowest question over the fastest peer`,
      isWhole ? Math.min(...best) : Number.NaN,
      bars.each,
    ),
  ];
}
