import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Query } from "../../../plugins/protocol/index.ts";

/** A plugin that runs in its own process, on loopback. */
export interface StartedFolder {
  readonly url: string;
  /** Stops the plugin's process. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly secret: string;
  /**
   * The port on which the plugin listens; 0 selects a free port.
   *
   * @default 0
   */
  readonly port?: number;
  /** Called with a report after each query. */
  readonly onQuery?: (reported: ReportedQuery) => void;
}

/** A query as the plugin's process reports it. */
export interface ReportedQuery {
  readonly query: Query;
  readonly durationMs: number;
  /** Number of rows in the answer; absent if the plugin refused the query. */
  readonly rowCount?: number;
  readonly refusal?: string;
}

/** A message that the process of a plugin sends to the command. */
export type FolderMessage =
  | { readonly kind: "listens"; readonly url: string }
  | { readonly kind: "failed"; readonly message: string }
  | ({ readonly kind: "query" } & ReportedQuery);

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "./folderProcess.ts" : "./folderProcess.js",
    import.meta.url,
  ),
);
/** How long a plugin may take to start listening, in milliseconds. */
const startMs = 60_000;
const candidates = [
  "plugin.ts",
  "plugin.js",
  "plugin.mjs",
  "src/plugin.ts",
  "index.ts",
  "index.js",
];

/**
 * Starts the plugin of a folder: the file that `main` of its package.json names, or otherwise `plugin.ts`. The default
 * export must be the result of `definePlugin`.
 * @throws {Error} if the file does not exist, or does not export a plugin
 */
export async function startFolder(folder: string, options: StartOptions): Promise<StartedFolder> {
  const entry = entryOf(resolve(folder));
  const { port = 0, secret, onQuery } = options;
  const child = fork(program, [entry, String(port)], {
    cwd: resolve(folder),
    env: { ...process.env, MANIFOLD_PLUGIN_PROCESS_SECRET: secret },
    stdio: ["ignore", 2, "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
  };
  const { promise, resolve: listens, reject } = Promise.withResolvers<string>();
  child.on("message", (message: FolderMessage) => {
    if (message.kind === "listens") listens(message.url);
    else if (message.kind === "failed") reject(new Error(message.message));
    else onQuery?.(message);
  });
  child.once("error", reject);
  child.once("exit", (code) =>
    reject(new Error(`${entry} ended with status ${code} before it listened`)),
  );
  const timer = setTimeout(
    () => reject(new Error(`${entry} did not listen within ${startMs / 1000} s`)),
    startMs,
  );
  try {
    return { url: await promise, close };
  } catch (failure) {
    await close();
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

function entryOf(folder: string): string {
  const main = mainOf(join(folder, "package.json"));
  const names = main === undefined ? candidates : [main];
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(
      `${folder} has no ${names.join(", ")}; set "main" in its package.json to the file of the plugin`,
    );
  return found;
}

function mainOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { main }: { readonly main?: unknown } = JSON.parse(readFileSync(path, "utf8"));
  return typeof main === "string" ? main : undefined;
}
