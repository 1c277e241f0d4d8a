import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Query } from "../../../plugins/protocol/index.ts";

/** A plugin that runs in a process of its own, on loopback. */
export interface StartedFolder {
  readonly url: string;
  /** Ends the process. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly secret: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Hears of every query, when it was answered. */
  readonly onQuery?: (reported: ReportedQuery) => void;
}

/** A query as the plugin's process reports it. */
export interface ReportedQuery {
  readonly query: Query;
  readonly durationMs: number;
  /** Rows of the answer; absent where it was refused. */
  readonly rowCount?: number;
  readonly refusal?: string;
}

/** Messages from the process of a plugin. */
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
/** Time in which a plugin must listen. */
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
 * Starts the plugin of a folder: the file that `main` of its package.json names, else `plugin.ts`. Its default export
 * is what `definePlugin` makes.
 * @throws {Error} when there is no such file, or it does not export a plugin
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
    reject(new Error(`${entry} ended with status ${code}, and did not listen`)),
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
      `${folder} has no ${names.join(", ")}; name the file of the plugin as "main" in its package.json`,
    );
  return found;
}

function mainOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { main }: { readonly main?: unknown } = JSON.parse(readFileSync(path, "utf8"));
  return typeof main === "string" ? main : undefined;
}
