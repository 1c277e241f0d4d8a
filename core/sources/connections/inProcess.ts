import { join } from "node:path";
import { constants, Script } from "node:vm";
import type { Plugin } from "../../../plugins/protocol/index.ts";
import type { Config } from "../../base/index.ts";
import { type LoadedModule, loadModule } from "./loadModule.ts";

/** The plugins that run inside this process, by slug. */
export interface InProcess {
  readonly plugins: ReadonlyMap<string, Plugin>;
  close(): Promise<void>;
}

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
  /** The folder of the plugin. */
  readonly module: string;
  readonly open: string;
  /** Returns whether the settings configure the plugin. If absent, the plugin is always opened. */
  readonly isGiven?: (settings: Settings) => boolean;
  readonly options: (settings: Settings, listening: Promise<unknown>) => unknown;
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
    module: "plugins/strata",
    open: "openStrata",
    options: ({ dataDir, workers, memoryMb, warmUp }, listening) => ({
      dir: filesFolder(dataDir),
      workers,
      memoryBytes: memoryMb * 2 ** 20,
      // Before the host listens, compiling the store's code would delay the start.
      warmUp: warmUp && listening,
    }),
  },
  clickhouse: {
    module: "connectors/clickhouse",
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

/** Imports a package by its name, as a module in `folder` would. */
export async function loadPackage(name: string, folder: string): Promise<LoadedModule> {
  // A script has the place that it names, so `import` resolves the package from there.
  const script = new Script("(name) => import(name)", {
    filename: join(folder, "manifold.js"),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load: (specifier: string) => Promise<LoadedModule> = script.runInThisContext();
  return load(name);
}

/**
 * Opens the built-in plugins. The store warms up once `listening` is fulfilled. If opening a plugin fails, closes the
 * plugins that are already open.
 * @throws the errors of the plugins, for example if another process uses the folder
 */
export async function openInProcess(
  settings: Settings,
  listening: Promise<unknown> = Promise.resolve(),
): Promise<InProcess> {
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
      plugins.set(slug, await openPlugin(options(settings, listening)));
    }
  } catch (failure) {
    await close();
    throw failure;
  }
  return { plugins, close };
}
