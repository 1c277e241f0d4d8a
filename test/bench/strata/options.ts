import { parseArgs } from "node:util";

/** Parts of the store's bench, in the order in which they run. */
const parts = [
  "bandwidth",
  "queries",
  "growth",
  "groups",
  "random",
  "callers",
  "memory",
  "cold",
  "first",
  "ingest",
] as const;
export type Part = (typeof parts)[number];

export interface BenchOptions {
  readonly rowCount: number;
  /** Seed of the table's values and of the random queries. */
  readonly seed: number;
  readonly repeats: number;
  readonly parts: ReadonlySet<Part>;
  /** Names of the queries to run. An empty list means all queries. */
  readonly queries: readonly string[];
  readonly json?: string;
}

/**
 * Parses `--rows 1m|10m|50m|100m`, `--seed n`, `--repeats n`, `--json file` and `--only strata:part,Q5`, which names
 * parts or queries.
 * @throws an error that names the option and the allowed values
 */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "10m" },
      seed: { type: "string", default: "1" },
      repeats: { type: "string", default: "7" },
      only: { type: "string", default: "" },
      json: { type: "string" },
    },
  });
  const [, millions] = /^(\d+)m$/.exec(values.rows) ?? [];
  if (!millions || millions === "0")
    throw new Error(`--rows must be 1m, 10m, 50m or 100m, not ${values.rows}`);
  const seed = wholeNumber("seed", values.seed, 0);
  const repeats = wholeNumber("repeats", values.repeats, 1);
  const wanted = (values.only.split(":")[1] ?? "").split(",").filter((name) => name !== "");
  const queries = wanted.filter((name) => /^Q\d/.test(name));
  const named = wanted.filter((name) => !queries.includes(name));
  for (const name of named)
    if (!parts.some((part) => part === name))
      throw new Error(
        `--only strata:${name} must name a part (${parts.join(", ")}) or a query (Q1 to Q13)`,
      );
  const chosen = [...named, ...(queries.length > 0 ? ["queries"] : [])] as Part[];
  // Memory floors and cold starts depend on the sizes of the columns.
  if (chosen.includes("cold")) chosen.push("memory");
  if (chosen.includes("growth")) chosen.push("queries");
  return {
    rowCount: Number(millions) * 1_000_000,
    seed,
    repeats,
    parts: new Set(chosen.length > 0 ? chosen : parts),
    queries,
    ...(values.json !== undefined && { json: values.json }),
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number of at least ${least}, not ${text}`);
  return value;
}
