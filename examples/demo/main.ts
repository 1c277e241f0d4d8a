import { openHost, untilStopped } from "manifold";
import { createClient } from "manifold/client";
import { queryThreeSources } from "../three-sources/queryThreeSources.ts";
import { freePort } from "../support/freePort.ts";
import { openPostgres } from "../three-sources/openPostgres.ts";
import { openSources } from "../three-sources/openSources.ts";
import { makeAlert } from "./alert.ts";
import { makeBoards } from "./dashboards.ts";
import { openExamplePlugin } from "./examplePlugin.ts";
import { pushFlights } from "./pushFlights.ts";
import { columnsOf } from "../support/columnsOf.ts";
import { printAnswer, flightQuestions, pluginQuestion } from "./questions.ts";
import { demoStateIn } from "./state.ts";

const stopped = untilStopped();
const once = process.argv.includes("--once");
const dataDir = process.env["MANIFOLD_DATA_DIR"] ?? ".manifold";
const stateFile = demoStateIn(dataDir);
const { key, token } = stateFile.read();
const [pluginPort, targetsPort] = [await freePort(), await freePort()];
const postgres = await openPostgres();

const host = await openHost({
  dataDir,
  key,
  token,
  port: once ? 0 : undefined,
  // The demo pushes 300 batches in a few seconds, which is more than the default limit on calls allows.
  callsPerSecond: 0,
  egressAllow: [
    `127.0.0.1:${pluginPort}`,
    `127.0.0.1:${targetsPort}`,
    `${postgres.host}:${postgres.port}`,
  ],
  logLevel: process.env["MANIFOLD_LOG_LEVEL"] ?? "warn",
});
const client = createClient({ url: host.url, key, token });
// The host closes first, because it may still be calling the servers of the example.
const closes = [() => host.close(), () => postgres.close()];

async function run(): Promise<void> {
  const flightsId = await pushFlights(client);
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
