import { join } from "node:path";
import type { Plugin } from "../../plugins/protocol/index.ts";
import type { Config } from "../config.ts";

/** The plugins that run inside this process, by slug. */
export interface InProcess {
  readonly plugins: ReadonlyMap<string, Plugin>;
  close(): Promise<void>;
}

/** The exports of a module, unchecked. */
export type LoadedModule = Readonly<Record<string, unknown>>;

type Settings = Pick<Config, "dataDir" | "workers" | "memoryMb" | "warmUp">;

interface BuiltIn {
  /** Named by a text, so that no type and no layer of a plugin reaches the host. */
  readonly module: string;
  readonly open: string;
  readonly options: (settings: Settings) => unknown;
}

const builtIns: Readonly<Record<string, BuiltIn>> = {
  strata: {
    module: "../../plugins/strata/index.ts",
    open: "openStrata",
    options: ({ dataDir, workers, memoryMb, warmUp }) => ({
      dir: join(dataDir, "strata"),
      workers,
      memoryBytes: memoryMb * 2 ** 20,
      warmUp,
    }),
  },
};

/** Loads a plugin of this package by the path of its door: the one place that imports one. */
export async function loadModule(path: string): Promise<LoadedModule> {
  return import(path);
}

/**
 * Opens the built-in plugins; when one fails, those before it are closed again.
 * @throws what the plugin throws, for example when another process holds its folder
 */
export async function openInProcess(settings: Settings): Promise<InProcess> {
  const plugins = new Map<string, Plugin>();
  const close = async () => {
    for (const [slug, plugin] of [...plugins].toReversed()) {
      plugins.delete(slug);
      await plugin.close?.();
    }
  };
  try {
    for (const [slug, { module, open, options }] of Object.entries(builtIns)) {
      const loaded = await loadModule(module);
      const openPlugin = loaded[open] as (given: unknown) => Promise<Plugin>;
      plugins.set(slug, await openPlugin(options(settings)));
    }
  } catch (failure) {
    await close();
    throw failure;
  }
  return { plugins, close };
}
