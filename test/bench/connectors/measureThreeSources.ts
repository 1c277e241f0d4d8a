import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../examples/support/freePort.ts";
import { columnsOf } from "../../../examples/support/columnsOf.ts";
import { threeSourcesQuery } from "../../../examples/three-sources/queryThreeSources.ts";
import { openPostgres } from "../../../examples/three-sources/openPostgres.ts";
import { openSources } from "../../../examples/three-sources/openSources.ts";
import { pushFlights } from "../../../examples/three-sources/pushFlights.ts";
import { startHostProcess } from "../../support/hostProcess.ts";
import { spreadOf, type Spread } from "../spread.ts";

interface Answer {
  readonly data: readonly unknown[];
  readonly cached?: boolean;
}

export interface ThreeSourcesReport {
  readonly flightCount: number;
  /** Milliseconds that the part of each source takes, from socket to socket. */
  readonly alone: Readonly<Record<string, Spread>>;
  /** Milliseconds that the query over all sources takes. */
  readonly whole: Spread;
  /** The median time of the whole query divided by the median time of its slowest source. */
  readonly share: number;
}

/**
 * Runs the query of the example `three-sources`, and separately the part of each source. All of these queries take
 * turns, over HTTP. Each call has a different filter that all rows pass, so that no answer comes from a cache.
 * `keptSeconds` sets the `cache` of both connected datasets. The host then remembers which linked columns are unique.
 */
export async function measureThreeSources(
  flightCount: number,
  rounds: number,
  keptSeconds: number,
): Promise<ThreeSourcesReport> {
  const closes: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await openPostgres();
    closes.push(() => postgres.close());
    const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-three-"));
    closes.push(async () => rmSync(dataDir, { recursive: true, force: true }));
    const pluginPort = await freePort();
    const host = await startHostProcess(dataDir, {
      MANIFOLD_EGRESS_ALLOW: `127.0.0.1:${pluginPort},${postgres.host}:${postgres.port}`,
    });
    closes.push(() => host.end("SIGTERM"));
    const { client } = host;
    const flightsId = await pushFlights(client, flightCount);
    const sources = await openSources(client, { postgres, pluginPort, flightsId });
    closes.push(() => sources.close());
    const { airports, targets } = sources.kept;
    for (const { id } of [airports, targets])
      await client.update("securable", id, { cache: keptSeconds });
    const { explain: _, ...whole } = await threeSourcesQuery(client, {
      flightsId,
      airports,
      targets,
    });
    const { delay, origin } = await columnsOf(client, flightsId);
    const flight = (column_id: string, type: string) => ({
      dataset_id: flightsId,
      column_id,
      aggregation: { type },
    });
    const rowsOf = ({ id, columns }: typeof airports, [key, value]: readonly [string, string]) => {
      const named = (name: string) => ({ dataset_id: id, column_id: columns[name] });
      return (round: number) => ({
        dimensions: [named(key), named(value)],
        where: [{ expression: "? != ?", parameters: [named(key), `none ${round}`] }],
        options: { rollup_data: false },
      });
    };
    const late = (round: number) => ({
      expression: "? > ?",
      parameters: [{ dataset_id: flightsId, column_id: delay }, -100_000 - round],
    });
    const { where } = whole as { readonly where: readonly object[] };
    const questions: Readonly<Record<string, (round: number) => object>> = {
      "the query over all three": (round) => ({ ...whole, where: [...where, late(round)] }),
      "only the store: flights and delay by origin": (round) => ({
        dimensions: [{ dataset_id: flightsId, column_id: origin }],
        measures: [flight("*", "count"), flight(String(delay), "average")],
        where: [late(round)],
      }),
      "only PostgreSQL: 13 airports": rowsOf(airports, ["code", "state"]),
      "only the plugin: 13 targets": rowsOf(targets, ["airport", "minutes"]),
    };
    const times = Object.fromEntries(Object.keys(questions).map((name) => [name, [] as number[]]));
    for (let round = -100; round < rounds; round++)
      for (const [name, question] of Object.entries(questions)) {
        const startedAt = performance.now();
        const { data, cached } = await client.get<Answer>("data", { queries: [question(round)] });
        const tookMs = performance.now() - startedAt;
        if (data.length < 8 || cached) throw new Error(`${name}: ${data.length} rows, ${cached}`);
        if (round >= 0) times[name]?.push(tookMs);
      }
    const [first, ...rest] = Object.entries(times).map(
      ([name, measured]) => [name, spreadOf(measured)] as const,
    );
    if (!first) throw new Error("no query was sent");
    const slowest = Math.max(...rest.map(([, { median }]) => median));
    return {
      flightCount,
      alone: Object.fromEntries(rest),
      whole: first[1],
      share: first[1].median / slowest,
    };
  } finally {
    for (const close of closes.toReversed()) await close();
  }
}
