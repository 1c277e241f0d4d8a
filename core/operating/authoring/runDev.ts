import { randomBytes } from "node:crypto";
import { watch } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Query } from "../../../plugins/protocol/index.ts";
import { type Client, createClient } from "../../web/client/index.ts";
import { messageOf, untilStopped } from "../../base/index.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { loadFolder, startFolder, type StartedFolder, type ReportedQuery } from "./startFolder.ts";
import { oneArgument } from "./oneArgument.ts";

const flags = {
  port: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  slug: { type: "string" },
} as const;

/** Milliseconds between a change and the reload of the plugin, because editors write a file in several steps. */
const settleMs = 150;

/**
 * Runs `manifold plugin dev`. It serves the plugin of a folder, reloads it on every change, and prints each query. If
 * the changed plugin cannot be loaded, it prints the reason and keeps serving the last good version. With MANIFOLD_KEY
 * and MANIFOLD_TOKEN, it creates or updates a plugin record at MANIFOLD_URL. It runs until the process receives a
 * signal, or until nobody reads its output.
 * @throws {Error} for an invalid argument, a plugin that does not start, or a host that refuses the record
 */
export async function runDev(
  args: readonly string[],
  io: PluginCommandIo,
  stopped: () => Promise<void> = untilStopped,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const folder = oneArgument(positionals, "plugin dev requires one folder");
  const isEnding = Promise.race([stopped(), io.outputClosed ?? new Promise<never>(() => {})]);
  const secret = io.environment["PLUGIN_SECRET"] || randomBytes(32).toString("base64url");
  const onQuery = (reported: ReportedQuery) => io.write(lineOf(reported));
  const port = portOf(values.port);
  let started: StartedFolder | undefined = await startFolder(folder, { secret, port, onQuery });
  const { url } = started;
  io.write(`the plugin listens on ${url}`);
  if (!io.environment["PLUGIN_SECRET"])
    io.write("callers send its secret as X-Secret; set PLUGIN_SECRET to choose it");
  try {
    await register(url, secret, values.slug ?? basename(resolve(folder)), values, io);
  } catch (failure) {
    await started.close();
    throw failure;
  }
  // Only one load runs at a time. If files change during a load, the plugin is loaded once more.
  let loading = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let goodAt = new Date();
  const load = async () => {
    try {
      // The running plugin stops only after the changed one was loaded, so that callers get answers meanwhile.
      const loaded = await loadFolder(folder, { secret, onQuery });
      await started?.close();
      started = undefined;
      started = await loaded.listen(Number(new URL(url).port));
      goodAt = new Date();
      io.write("loaded again");
    } catch (failure) {
      io.note(`manifold: ${messageOf(failure)}`);
      io.note(
        started
          ? `manifold: the plugin still runs as it was loaded at ${goodAt.toTimeString().slice(0, 8)}; it is loaded again when a file changes`
          : "manifold: the plugin does not run; it is loaded again when a file changes",
      );
    }
  };
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null || /(^|[\\/])(node_modules|\.)/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      loading = loading.then(load);
    }, settleMs);
  });
  await isEnding;
  watcher.close();
  clearTimeout(timer);
  await loading;
  await started?.close();
  return 0;
}

function portOf(text = "0"): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`--port must be a whole number from 0 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

/** Creates or updates the plugin's record at a host, if the environment contains a key pair. */
async function register(
  url: string,
  secret: string,
  slug: string,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
  { environment, write }: PluginCommandIo,
): Promise<void> {
  const key = given.key ?? environment["MANIFOLD_KEY"];
  const token = environment["MANIFOLD_TOKEN"];
  if (!key || !token) {
    write("set MANIFOLD_KEY and MANIFOLD_TOKEN to register it at a host");
    return;
  }
  const host = given.url ?? (environment["MANIFOLD_URL"] || "http://127.0.0.1:4000");
  const client = createClient({ url: host.replace(/\/+$/, ""), key, token });
  const id = await recordOf(client, slug, url);
  await client.update("plugin", id, {
    base_url: url,
    protocol_version: "manifold-1",
    new_secret: secret,
  });
  write(
    `the plugin is registered at ${host} as the provider ${JSON.stringify(slug)}; the host can reach the plugin if`,
  );
  write(`  its MANIFOLD_EGRESS_ALLOW names ${new URL(url).host}`);
}

async function recordOf(client: Client, slug: string, url: string): Promise<string> {
  const { rows } = await client.get("plugin", { where: { slug } });
  const [known] = rows;
  if (known) return String(known["id"]);
  const made = await client.create("plugin", {
    slug,
    name: { en: slug },
    base_url: url,
    protocol_version: "manifold-1",
    authorize: "none",
  });
  return String(made["id"]);
}

function lineOf({ query, durationMs, rowCount, refusal }: ReportedQuery): string {
  const end = refusal === undefined ? `${rowCount} rows` : `refused: ${refusal}`;
  return `${durationMs.toFixed(1).padStart(8)} ms  ${describe(query)}  → ${end}`;
}

/** Describes the parts of a query that the plugin has to execute. */
function describe({ id, columns, filters, joins, having, order, limit, options }: Query): string {
  const names = columns.map(({ column_id, aggregation, level }) => {
    const base = level === undefined ? column_id : `${level}(${column_id})`;
    return aggregation === undefined ? base : `${aggregation}(${base})`;
  });
  const counted = (name: string, list: readonly unknown[] | undefined) =>
    list?.length ? [`${list.length} ${name}`] : [];
  const parts = [
    options.pushdown ? "groups" : "rows",
    ...counted("filters", filters),
    ...counted("joins", joins),
    ...counted("having", having),
    ...(order?.length ? ["order"] : []),
    ...(limit ? [`limit ${limit.by}`] : []),
  ];
  return `${id} [${parts.join(", ")}] ${names.join(", ")}`;
}
