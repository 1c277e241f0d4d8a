import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@manifold-analytics/client";
import { allFlights, flightCount, flightsPath, header, readFlights } from "../support/flights.ts";

interface DatasetRecord {
  readonly id: string;
  readonly name: { readonly en?: string };
}

interface Copy {
  readonly status: "waiting" | "copying" | "ready" | "failed";
  readonly rows: number | null;
  readonly copied_rows: number | null;
  readonly progress: number | null;
  readonly failure: string | null;
}

const name = { en: "Flights 2001" };
const pollMs = 50;

/**
 * Returns the file of flights. If fewer flights are wanted than the package has, they are first written to `folder`.
 */
export async function flightsFile(folder: string): Promise<string> {
  if (flightCount === allFlights) return flightsPath;
  const path = join(folder, `flights-${flightCount}.csv`);
  await mkdir(folder, { recursive: true });
  async function* lines() {
    // The host computes the hour.
    const columns = ([date, , ...others]: readonly unknown[]) => [date, ...others].join(",");
    yield `${columns(header)}\n`;
    for await (const rows of readFlights(0, 10_000)) yield `${rows.map(columns).join("\n")}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

function drawBar({ copied_rows: count, progress }: Copy): void {
  const share = progress ?? 0;
  const bar = "█".repeat(Math.round(share * 30)).padEnd(30, "░");
  if (process.stdout.isTTY)
    process.stdout.write(`\r  ${bar} ${(count ?? 0).toLocaleString("en")} rows   `);
}

/**
 * Connects the host to the file of flights, whose folder it may open, and copies the rows into its store. Resolves to
 * the id of the dataset, whose column `hour` is computed from its dates. An earlier start has already done this.
 */
export async function loadFlights(client: Client, path: string): Promise<string> {
  const found = await client.get<{ rows: DatasetRecord[] }>("securable", {
    where: { type: "dataset" },
    attributes: ["id", "name"],
  });
  const known = found.rows.find((row) => row.name.en === name.en);
  const startedAt = performance.now();
  if (!known)
    process.stdout.write(
      `Loading ${flightCount.toLocaleString("en")} flights from ${basename(path)}\n`,
    );
  const id = known?.id ?? (await connectFile(client, path));
  const copy = await untilCopied(client, id);
  const shownCount = (copy.rows ?? 0).toLocaleString("en");
  process.stdout.write(
    known
      ? `The ${shownCount} flights already exist.\n`
      : `\n  took ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  );
  return id;
}

async function connectFile(client: Client, path: string): Promise<string> {
  const account = await client.create<{ id: string }>("account", {
    provider: "files",
    name: "Flights",
    host: path,
  });
  const { data } = await client.create<{ data: { id: string; columns: ListedColumn[] }[] }>(
    "dataprovider",
    {
      provider: "files",
      account_id: account.id,
      tables: [{ schema: "main", table: basename(path) }],
    },
  );
  const [dataset] = data;
  const date = dataset?.columns.find(({ source_name }) => source_name === "date");
  if (!dataset || !date) throw new Error(`${path} contains no flights`);
  await client.create(
    "column",
    {
      type: "numeric",
      name: { en: "hour" },
      order: header.length,
      expression: `hour({${dataset.id}:${date.id}})`,
    },
    [{ role: "Securable", id: dataset.id }],
  );
  const acceleration = await client.create<{ id: string }>("acceleration", { load_type: "full" });
  await client.associate("securable", dataset.id, { role: "Acceleration", id: acceleration.id });
  await client.update("securable", dataset.id, { name });
  return dataset.id;
}

interface ListedColumn {
  readonly id: string;
  readonly source_name: string;
}

async function untilCopied(client: Client, datasetId: string): Promise<Copy> {
  for (;;) {
    const where = { securable_id: datasetId };
    const [copy] = (await client.get<{ rows: Copy[] }>("datasetcopy", { where })).rows;
    if (!copy || copy.status === "failed")
      throw new Error(`the flights could not be copied: ${copy?.failure ?? "there is no copy"}`);
    drawBar(copy);
    if (copy.status === "ready") return copy;
    await sleep(pollMs);
  }
}
