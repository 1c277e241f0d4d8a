// The process that `manifold plugin` starts for a plugin. It serves the default export of a file on loopback.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Plugin } from "../../../plugins/protocol/index.ts";
import type { FolderMessage } from "./startFolder.ts";

type Serve = (
  plugin: Plugin,
  options: { readonly port: number; readonly secret: string },
) => Promise<{ readonly url: string; close(): Promise<void> }>;

const report = (message: FolderMessage) => process.send?.(message);
const messageOf = (failure: unknown) =>
  failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);

/** Finds the copy of the library that the plugin uses, because another copy would not recognize the plugin's errors. */
async function findServe(entry: string): Promise<Serve> {
  const path = createRequire(entry).resolve("manifold/plugin");
  const library: { readonly serve: Serve } = await import(pathToFileURL(path).href);
  return library.serve;
}

async function open(entry: string): Promise<Plugin> {
  const loaded: { readonly default?: Partial<Plugin> } = await import(pathToFileURL(entry).href);
  if (isPlugin(loaded.default)) return loaded.default;
  throw new Error(
    `${entry} has no plugin as its default export; write export default definePlugin({ … })`,
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

const [, , entry = "", port = "0"] = process.argv;
const secret = process.env["MANIFOLD_PLUGIN_PROCESS_SECRET"] ?? "";
delete process.env["MANIFOLD_PLUGIN_PROCESS_SECRET"];
try {
  const plugin = await open(entry);
  const serve = await findServe(entry);
  const served = await serve(withReports(plugin), { port: Number(port), secret });
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
  report({ kind: "failed", message: messageOf(failure) });
  process.exitCode = 1;
  process.disconnect?.();
}
