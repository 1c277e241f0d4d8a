// The process that `manifold plugin` starts for a plugin. It loads the default export of a file, and serves it on
// loopback when the command asks for it.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Plugin } from "../../../plugins/protocol/index.ts";
import { describeLoadFailure } from "./locateFailure.ts";
import type { FolderMessage, ListenRequest } from "./startFolder.ts";

type Serve = (
  plugin: Plugin,
  options: { readonly port: number; readonly secret: string },
) => Promise<{ readonly url: string; close(): Promise<void> }>;

const report = (message: FolderMessage) => process.send?.(message);
const messageOf = (failure: unknown) =>
  failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);

/** Finds the copy of the library that the plugin uses, because another copy would not recognize the plugin's errors. */
async function findServe(entry: string): Promise<Serve> {
  const path = createRequire(entry).resolve("@manifold-analytics/plugin");
  const library: { readonly serve: Serve } = await import(pathToFileURL(path).href);
  return library.serve;
}

async function open(entry: string): Promise<Plugin> {
  const loaded: { readonly default?: Partial<Plugin> } = await import(pathToFileURL(entry).href);
  if (isPlugin(loaded.default)) return loaded.default;
  throw new Error(
    `${entry} must have a plugin as its default export; write export default definePlugin({ … })`,
  );
}

function isPlugin(given: Partial<Plugin> | undefined): given is Plugin {
  return typeof given?.datasets === "function" && typeof given.query === "function";
}

/** Wraps a plugin so that each query is reported to the command. */
function withReports(plugin: Plugin): Plugin {
  return {
    ...plugin,
    async query(call) {
      const startMs = performance.now();
      const reported = { kind: "query", query: call.query } as const;
      try {
        const answer = await plugin.query(call);
        report({ ...reported, durationMs: performance.now() - startMs, rowCount: answer.rowCount });
        return answer;
      } catch (failure) {
        report({
          ...reported,
          durationMs: performance.now() - startMs,
          refusal: messageOf(failure),
        });
        throw failure;
      }
    },
  };
}

const [, , entry = ""] = process.argv;
const secret = process.env["MANIFOLD_PLUGIN_PROCESS_SECRET"] ?? "";
delete process.env["MANIFOLD_PLUGIN_PROCESS_SECRET"];

function fail(failure: unknown): void {
  report({ kind: "failed", message: describeLoadFailure(failure, pathToFileURL(entry).href) });
  process.exitCode = 1;
  process.disconnect?.();
}

/** Waits for the command to name a port. Rejects if the command ends first. */
async function askedPort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  process.once("message", ({ port }: ListenRequest) => resolve(port));
  process.once("disconnect", () => reject(new Error("the command has ended")));
  return promise;
}

try {
  const plugin = await open(entry);
  const serve = await findServe(entry);
  const port = askedPort();
  report({ kind: "loaded" });
  const served = await serve(withReports(plugin), { port: await port, secret });
  const end = () =>
    void served
      .close()
      .then(async () => plugin.close?.())
      .finally(() => process.exit(0));
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  // Exit, because the command that started this process has ended.
  process.once("disconnect", end);
  report({ kind: "listens", url: served.url });
} catch (failure) {
  fail(failure);
}
