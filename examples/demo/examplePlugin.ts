import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Client } from "@manifold-analytics/client";
import type { DemoStateFile } from "./state.ts";

const slug = "airports";

/**
 * A script for the plugin's process. The script stops the plugin when its standard input is closed. The system closes
 * it whenever the demo stops.
 */
const endWithParent =
  "data:text/javascript,process.stdin.on('close',()=>process.exit()).resume().unref()";

/**
 * Starts the example plugin in its own process, and resolves when the plugin listens. The process has its own process
 * group, so Ctrl-C does not stop it. The host, which may still be calling the plugin, can therefore stop first.
 */
async function startProcess(port: number, secret: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("../minimal-plugin/plugin.ts", import.meta.url));
  const args = [...process.execArgv, "--import", endWithParent, script];
  const plugin = spawn(process.execPath, args, {
    detached: true,
    env: { ...process.env, PORT: String(port), SECRET: secret },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(plugin, "exit").then(() => {
    throw new Error("the example plugin stopped before it listened");
  });
  await Promise.race([once(plugin.stdout, "data"), ended]);
  ended.catch(() => {});
  return plugin;
}

export interface ExamplePlugin {
  readonly datasetId: string;
  close(): Promise<void>;
}

/**
 * Registers the example plugin, starts it over HTTP, connects the host to it, and creates a dataset from it. Later
 * starts of the demo only start the plugin again, on a new port.
 */
export async function openExamplePlugin(
  client: Client,
  port: number,
  stateFile: DemoStateFile,
): Promise<ExamplePlugin> {
  const state = stateFile.read();
  const baseUrl = `http://127.0.0.1:${port}`;
  let { plugin } = state;
  let running: ChildProcess;
  if (plugin) {
    await client.update("plugin", plugin.id, { base_url: baseUrl, new_secret: plugin.secret });
    running = await startProcess(port, plugin.secret);
  } else {
    const made = await client.create<{ id: string; secret: string }>("plugin", {
      slug,
      name: { en: "Airports" },
      base_url: baseUrl,
      protocol_version: "3.0.0",
      authorize: "none",
      pushdown: false,
    });
    running = await startProcess(port, made.secret);
    const account = await client.create<{ id: string }>("account", {
      provider: slug,
      name: { en: "Airports" },
    });
    const find = { provider: slug, account_id: account.id };
    const { rows } = await client.get<{ rows: { id: string }[] }>("dataprovider", find);
    const { data } = await client.create<{ data: { id: string }[] }>("dataprovider", {
      ...find,
      datasets: [rows[0]?.id],
    });
    if (!data[0]) throw new Error("the example plugin offers no dataset");
    plugin = { id: made.id, secret: made.secret, datasetId: data[0].id };
    stateFile.write({ ...state, plugin });
  }
  return {
    datasetId: plugin.datasetId,
    async close() {
      running.kill();
      if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
    },
  };
}
