import { fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Query } from "../../../plugins/protocol/index.ts";
import { entryOf } from "./entryOf.ts";

/** A plugin that runs in its own process, on loopback. */
export interface StartedFolder {
  readonly url: string;
  /** Stops the plugin's process. */
  close(): Promise<void>;
}

/** A plugin that was loaded in its own process without an error, and does not listen yet. */
export interface LoadedFolder {
  /**
   * Starts to listen. Port 0 selects a free port. If listening fails, the process stops.
   * @throws {Error} if the port is in use
   */
  listen(port: number): Promise<StartedFolder>;
  /** Stops the plugin's process. */
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly secret: string;
  /** Called with a report after each query. */
  readonly onQuery?: (reported: ReportedQuery) => void;
}

export interface StartOptions extends LoadOptions {
  /**
   * The port on which the plugin listens; 0 selects a free port.
   *
   * @default 0
   */
  readonly port?: number;
}

/** A query that the plugin's process has answered or refused. */
export interface ReportedQuery {
  readonly query: Query;
  readonly durationMs: number;
  /** Number of rows in the answer; absent if the plugin refused the query. */
  readonly rowCount?: number;
  readonly refusal?: string;
}

/** A message that the process of a plugin sends to the command. */
export type FolderMessage =
  | { readonly kind: "loaded" }
  | { readonly kind: "listens"; readonly url: string }
  | { readonly kind: "failed"; readonly message: string }
  | ({ readonly kind: "query" } & ReportedQuery);

/** The message with which the command asks the process of a plugin to listen. */
export interface ListenRequest {
  readonly port: number;
}

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "./folderProcess.ts" : "./folderProcess.js",
    import.meta.url,
  ),
);
/** How long a plugin may take to start listening, in milliseconds. */
const startMs = 60_000;

/**
 * Starts the plugin of a folder, from the file that `entryOf` returns. The default export must be the result of
 * `definePlugin`.
 * @throws {Error} if the file does not exist, cannot be loaded, or does not export a plugin
 */
export async function startFolder(folder: string, options: StartOptions): Promise<StartedFolder> {
  const loaded = await loadFolder(folder, options);
  return loaded.listen(options.port ?? 0);
}

/**
 * Loads the plugin of a folder in a new process, without listening.
 * @throws {Error} as `startFolder`
 */
export async function loadFolder(folder: string, options: LoadOptions): Promise<LoadedFolder> {
  const entry = entryOf(resolve(folder));
  const { secret, onQuery } = options;
  const child = fork(program, [entry], {
    cwd: resolve(folder),
    env: { ...process.env, MANIFOLD_PLUGIN_PROCESS_SECRET: secret },
    stdio: ["ignore", 2, "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
  };
  const loaded = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<string>();
  // The process may end before the command waits for it to listen.
  listening.promise.catch(() => {});
  const fail = (failure: Error) => {
    loaded.reject(failure);
    listening.reject(failure);
  };
  child.on("message", (message: FolderMessage) => {
    if (message.kind === "loaded") loaded.resolve();
    else if (message.kind === "listens") listening.resolve(message.url);
    else if (message.kind === "failed") fail(new Error(message.message));
    else onQuery?.(message);
  });
  child.once("error", fail);
  child.once("exit", (code) =>
    fail(new Error(`${entry} exited with status ${code} before it listened`)),
  );
  const within = async <Result>(promise: Promise<Result>): Promise<Result> => {
    const timer = setTimeout(
      () => fail(new Error(`${entry} did not listen within ${startMs / 1000} s`)),
      startMs,
    );
    try {
      return await promise;
    } catch (failure) {
      await close();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  };
  await within(loaded.promise);
  return {
    close,
    async listen(port) {
      child.send({ port } satisfies ListenRequest);
      return { url: await within(listening.promise), close };
    },
  };
}
