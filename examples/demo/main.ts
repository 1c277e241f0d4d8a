import { dirname } from "node:path";
import { openHost, untilStopped } from "@manifold-analytics/host";
import { createClient } from "@manifold-analytics/client";
import { queryThreeSources } from "../three-sources/queryThreeSources.ts";
import { freePort } from "../support/freePort.ts";
import { openPostgres } from "../three-sources/openPostgres.ts";
import { openSources } from "../three-sources/openSources.ts";
import { makeAlert } from "./alert.ts";
import { makeBoards } from "./dashboards.ts";
import { openExamplePlugin } from "./examplePlugin.ts";
import { flightsFile, loadFlights } from "./loadFlights.ts";
import { columnsOf } from "../support/columnsOf.ts";
import { printAnswer, flightQuestions, pluginQuestion } from "./questions.ts";
import { demoStateIn } from "./state.ts";

const stopped = untilStopped();
const once = process.argv.includes("--once");
const dataDir = process.env["MANIFOLD_DATA_DIR"] ?? ".manifold";
const stateFile = demoStateIn(dataDir);
const { key, token } = stateFile.read();
const [pluginPort, targetsPort, postgresPort] = [
  await freePort(),
  await freePort(),
  await freePort(),
];
const givenPostgres = process.env["MANIFOLD_EXAMPLE_POSTGRES"];
const flights = await flightsFile(dataDir);

const host = await openHost({
  dataDir,
  key,
  token,
  port: once ? 0 : undefined,
  // The demo makes dozens of calls in a few seconds, and the default limit on calls does not allow that many.
  callsPerSecond: 0,
  fileFolders: [dirname(flights)],
  egressAllow: [
    `127.0.0.1:${pluginPort}`,
    `127.0.0.1:${targetsPort}`,
    givenPostgres === undefined ? `127.0.0.1:${postgresPort}` : new URL(givenPostgres).host,
  ],
  logLevel: process.env["MANIFOLD_LOG_LEVEL"] ?? "warn",
});
const client = createClient({ url: host.url, key, token });
// The host closes first, because it may still be calling the servers of the example.
const closes = [() => host.close()];

async function run(): Promise<void> {
  const flightsId = await loadFlights(client, flights);
  const plugin = await openExamplePlugin(client, pluginPort, stateFile);
  closes.push(() => plugin.close());
  const flightColumns = await columnsOf(client, flightsId);
  for (const question of flightQuestions(flightsId, flightColumns))
    await printAnswer(client, question);
  await printAnswer(
    client,
    pluginQuestion(plugin.datasetId, await columnsOf(client, plugin.datasetId)),
  );
  const alertId = await makeAlert(host, client, flightsId, flightColumns);
  const boards = await makeBoards(client, {
    flights: { datasetId: flightsId, columns: flightColumns },
    airports: { datasetId: plugin.datasetId, columns: await columnsOf(client, plugin.datasetId) },
  });
  const postgres = await openPostgres(postgresPort);
  closes.push(() => postgres.close());
  const state = stateFile.read();
  const sources = await openSources(client, {
    postgres,
    pluginPort: targetsPort,
    flightsId,
    ...(state.sources && { kept: state.sources }),
  });
  closes.push(() => sources.close());
  stateFile.write({ ...state, sources: sources.kept });
  await queryThreeSources(client, host.url, { flightsId, ...sources.kept });
  process.stdout.write(`\nManifold listens on ${host.url}\n  key   ${key}\n  token ${token}\n`);
  process.stdout.write("\nDashboards, seen without signing in:\n");
  for (const { name, shareId } of boards)
    process.stdout.write(`  ${name}: ${host.url}/shared/${shareId}\n`);
  if (once) return;
  process.stdout.write(`\nThe alert in the console: ${host.url}/alerts/${alertId}\n`);
  const console = await host.createSignInLink({ key, token });
  process.stdout.write(
    `\nConsole, signed in (once, from this machine, within an hour):\n  ${console}\n`,
  );
  process.stdout.write("The demo runs until Ctrl-C.");
  await stopped;
}

try {
  await Promise.race([run(), stopped]);
} finally {
  for (const close of closes) await close();
}
// A push that Ctrl-C interrupted may still be waiting for its answer.
process.exit();
