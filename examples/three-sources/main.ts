// This example runs one query over three sources: flights in the store, airports in PostgreSQL, and targets in a
// plugin. It starts all of them, and stops them at the end. Start it with `npm run three-sources`.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHost } from "@manifold-analytics/host";
import { createClient } from "@manifold-analytics/client";
import { queryThreeSources } from "./queryThreeSources.ts";
import { freePort } from "../support/freePort.ts";
import { openPostgres } from "./openPostgres.ts";
import { openSources } from "./openSources.ts";
import { pushFlights } from "./pushFlights.ts";

const closes: (() => Promise<void>)[] = [];

async function run(): Promise<void> {
  const given = process.env["MANIFOLD_DATA_DIR"];
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "manifold-three-sources-")));
  if (given === undefined) closes.push(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openPostgres();
  closes.push(() => postgres.close());
  const pluginPort = await freePort();
  const [key, token] = [randomUUID(), randomBytes(32).toString("base64url")];
  const host = await openHost({
    dataDir,
    key,
    token,
    port: 0,
    // A host calls addresses on its own machine only if this list contains them.
    egressAllow: [`127.0.0.1:${pluginPort}`, `${postgres.host}:${postgres.port}`],
    logLevel: process.env["MANIFOLD_LOG_LEVEL"] ?? "warn",
  });
  closes.push(() => host.close());
  const client = createClient({ url: host.url, key, token });
  const flightsId = await pushFlights(client, 60_000);
  const sources = await openSources(client, { postgres, pluginPort, flightsId });
  // The sources close after the host, because the host may still be calling them.
  closes.splice(-1, 0, () => sources.close());
  await queryThreeSources(client, host.url, { flightsId, ...sources.kept });
}

try {
  await run();
} finally {
  for (const close of closes.toReversed()) await close();
}
