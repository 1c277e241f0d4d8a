import { parseArgs } from "node:util";
import { performance } from "node:perf_hooks";
import type { Capabilities, Dataset, Query } from "../../../plugins/protocol/index.ts";
import { openTarget, type Target } from "./openTarget.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { readTargetFlags, targetFlags } from "./targetFlags.ts";
import { oneArgument } from "./oneArgument.ts";

const flags = { ...targetFlags, rounds: { type: "string" } } as const;

/** Milliseconds from the start of a call until its response begins, and until the response ends. */
interface Timing {
  readonly waitMs: number;
  readonly readMs: number;
  readonly sizeBytes: number;
}

/**
 * Runs `manifold plugin bench`. It sends each kind of query several times, one query at a time, and prints the times.
 * @throws {Error} for an invalid argument, a plugin that cannot be reached, and a query that is refused
 */
export async function runBench(args: readonly string[], io: PluginCommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const name = oneArgument(positionals, "plugin bench requires one URL or one folder");
  const rounds = Number(values.rounds ?? "20");
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 10_000)
    throw new Error(
      `--rounds must be a whole number from 1 to 10000, not ${JSON.stringify(values.rounds)}`,
    );
  const target = await openTarget(name, readTargetFlags(values, io.environment));
  try {
    const call = { credentials: target.credentials, signal: new AbortController().signal };
    const capabilities =
      (await target.plugin.capabilitiesOf?.(call))?.capabilities ?? target.plugin.capabilities;
    io.write("milliseconds until the response begins and ends: median / 95th percentile");
    for (const dataset of await target.plugin.datasets(call))
      for (const [kind, query] of queriesOf(dataset, capabilities)) {
        const timings: Timing[] = [];
        for (let round = 0; round < rounds; round++) timings.push(await timeQuery(target, query));
        io.write(lineOf(`${dataset.id}: ${kind}`, timings));
      }
    return 0;
  } finally {
    await target.close();
  }
}

/** Returns a query of each kind that the plugin supports, with its name. */
function queriesOf(dataset: Dataset, capabilities: Capabilities): [string, Query][] {
  const { id, columns } = dataset;
  const plain = (column_id: string) => ({ column_id });
  const rows: Query = {
    id,
    columns: columns.map((column) => plain(column.id)),
    filters: [],
    options: { pushdown: false },
  };
  const [first] = columns;
  const queries: [string, Query][] = [["all rows", rows]];
  if (!capabilities.projection || !first) return queries;
  queries.push(["one column", { ...rows, columns: [plain(first.id)] }]);
  const tested = columns.find(
    ({ type, narrowed }) =>
      capabilities.filters?.operators["is not null"]?.includes(type) &&
      !narrowed?.filters?.["is not null"],
  );
  if (tested)
    queries.push([
      "a filter",
      { ...rows, filters: [{ column_id: tested.id, expression: "is not null" }] },
    ]);
  const key = columns.find(({ narrowed }) => narrowed?.grouping !== false);
  if (capabilities.grouping?.aggregations.includes("count") && key)
    queries.push([
      "groups",
      {
        ...rows,
        columns: [plain(key.id), { column_id: "*", aggregation: "count" }],
        options: { pushdown: true },
      },
    ]);
  if (capabilities.limit) queries.push(["ten rows", { ...rows, limit: { by: 10 } }]);
  return queries;
}

async function timeQuery({ wire, credentials }: Target, query: Query): Promise<Timing> {
  const { host, key, token, properties } = credentials;
  const known = Object.entries({ host, key, token, ...properties }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const isOwn = wire.protocolVersion === "manifold-1";
  const startMs = performance.now();
  const answer = await fetch(`${wire.url}/query`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      ...(isOwn && { "x-manifold-protocol": "manifold-1" }),
      ...(wire.secret !== undefined && { "x-secret": wire.secret }),
      ...Object.fromEntries(known.map(([id, value]) => [`x-property-${id}`, value])),
    },
    body: JSON.stringify({ ...query, ...(!isOwn && { filters_all: query.filters, user: {} }) }),
  });
  const beganMs = performance.now();
  const { byteLength } = await answer.arrayBuffer();
  if (!answer.ok)
    throw new Error(
      `the plugin returned status ${answer.status} for a query; run plugin check for details`,
    );
  return { waitMs: beganMs - startMs, readMs: performance.now() - beganMs, sizeBytes: byteLength };
}

function lineOf(what: string, timings: readonly Timing[]): string {
  const at = (of: (timing: Timing) => number, share: number) => {
    const sorted = timings.map(of).toSorted((one, other) => one - other);
    return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  };
  const pair = (of: (timing: Timing) => number) => `${at(of, 0.5)} / ${at(of, 0.95)}`;
  const size = Math.round((timings[0]?.sizeBytes ?? 0) / 1024);
  return `  ${what.padEnd(32)} begins ${pair(({ waitMs }) => waitMs)}   ends ${pair(({ waitMs, readMs }) => waitMs + readMs)}   ${size} KB`;
}
