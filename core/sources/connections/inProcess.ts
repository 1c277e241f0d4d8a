import { join } from "node:path";
import type { Plugin } from "../../../plugins/protocol/index.ts";
import type { Config } from "../../base/index.ts";

/** The plugins that run inside this process, by slug. */
export interface InProcess {
  readonly plugins: ReadonlyMap<string, Plugin>;
  close(): Promise<void>;
}

/** The exports of a module, with unchecked types. */
export type LoadedModule = Readonly<Record<string, unknown>>;

type Settings = Pick<
  Config,
  | "dataDir"
  | "workers"
  | "memoryMb"
  | "warmUp"
  | "clickhouseUrl"
  | "clickhouseDatabase"
  | "clickhouseCluster"
  | "clickhouseReader"
  | "pluginTimeoutMs"
  | "pluginAnswerMb"
>;

interface BuiltIn {
  /** The path of the module, as a string, so that the host does not depend on the plugin's types. */
  readonly module: string;
  readonly open: string;
  /** Returns whether the settings configure the plugin. If absent, the plugin is always opened. */
  readonly isGiven?: (settings: Settings) => boolean;
  readonly options: (settings: Settings) => unknown;
}

/**
 * Returns the folder for the files of the scratch plugin and of a store that uses files. Every host creates it at
 * start.
 */
export function filesFolder(dataDir: string): string {
  return join(dataDir, "strata");
}

const builtIns: Readonly<Record<string, BuiltIn>> = {
  strata: {
    module: "../../../plugins/strata/index.ts",
    open: "openStrata",
    options: ({ dataDir, workers, memoryMb, warmUp }) => ({
      dir: filesFolder(dataDir),
      workers,
      memoryBytes: memoryMb * 2 ** 20,
      warmUp,
    }),
  },
  clickhouse: {
    module: "../../../connectors/clickhouse/index.ts",
    open: "openStore",
    isGiven: ({ clickhouseUrl }) => clickhouseUrl !== undefined,
    options: (settings) => ({
      url: settings.clickhouseUrl,
      database: settings.clickhouseDatabase ?? "manifold",
      cluster: settings.clickhouseCluster,
      reader: settings.clickhouseReader,
      timeoutMs: settings.pluginTimeoutMs,
      sizeBytes: settings.pluginAnswerMb * 2 ** 20,
    }),
  },
};

/** The values that MANIFOLD_STORE may have. */
export const storeSlugs: readonly string[] = Object.keys(builtIns);

/** Imports a plugin of this package by the path of its `index.ts`. Only this function imports plugins. */
export async function loadModule(path: string): Promise<LoadedModule> {
  return import(path);
}

/**
 * Opens the built-in plugins. If opening a plugin fails, closes the plugins that are already open.
 * @throws the errors of the plugins, for example if another process holds the folder
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
    for (const [slug, { module, open, options, isGiven }] of Object.entries(builtIns)) {
      if (isGiven?.(settings) === false) continue;
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
