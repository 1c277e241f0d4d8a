import { join } from "node:path";
import type { BundleOptions } from "./openBundle.ts";

const root = join(import.meta.dirname, "../..");

/** The bundle of the host: the command, the main export of the package, and the threads of the engine. */
export const ownBundle: BundleOptions = {
  root,
  entries: {
    command: "core/cli/command.ts",
    index: "core/index.ts",
    worker: "engine/pool/worker.ts",
  },
  folders: ["core", "connectors", "deploy/bundle", "engine", "plugins"],
  cacheDir: join(root, "node_modules/.cache/manifold"),
};
