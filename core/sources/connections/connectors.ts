import type { AccountProperty, Connector, Plugin, Reach } from "../../../plugins/protocol/index.ts";
import type { Config } from "../../base/index.ts";
import type { Grant } from "./grants.ts";
import { loadModule, type LoadedModule } from "./inProcess.ts";
import { isPublicAddress } from "./isPublicAddress.ts";

/** The connectors that accounts may name as their provider. */
export interface Connectors {
  /**
   * Returns the slugs that are available with a grant, in alphabetical order. A grant without folders excludes
   * connectors that only open files.
   */
  slugsFor(grant: Grant): readonly string[];
  /** Returns the properties that accounts of a connector may have; undefined if the provider is not a connector. */
  properties(slug: string): Promise<readonly AccountProperty[] | undefined>;
  /**
   * Imports and opens a connector at its first use; undefined if the provider is not a connector. Each grant has a
   * separate plugin, so organizations share pools and descriptions only if they may reach the same hosts and folders.
   */
  plugin(slug: string, grant: Grant): Promise<Plugin | undefined>;
  /** Returns a connector that was already opened with a grant, without importing it. */
  opened(slug: string, grant: Grant): Promise<Plugin | undefined>;
  close(): Promise<void>;
}

export interface ConnectorsOptions {
  readonly config: Pick<Config, "connectors" | "pluginTimeoutMs" | "pluginAnswerMb">;
  /** Whether any organization may open a folder. */
  readonly hasFolders: boolean;
  readonly addressFor: (grant: Grant) => Reach["address"];
  /** Replaces the modules of this package in tests. */
  readonly load?: (path: string) => Promise<LoadedModule>;
}

interface Known {
  readonly module: string;
  /**
   * Whether the host of an account is a file or a folder. `only`: the connector needs folders that the operator
   * configures. `also`: the connector accepts addresses too.
   */
  readonly files?: "only" | "also";
}

/** The connectors by the name of their provider on the wire, each with its module. */
const known: Readonly<Record<string, Known>> = {
  clickhouse: { module: "../../../connectors/clickhouse/index.ts" },
  duckdb: { module: "../../../connectors/duckdb/index.ts", files: "only" },
  files: { module: "../../../connectors/files/index.ts", files: "also" },
  mariadb: { module: "../../../connectors/mysql/index.ts" },
  mysql: { module: "../../../connectors/mysql/index.ts" },
  postgresql: { module: "../../../connectors/postgres/index.ts" },
  rest: { module: "../../../connectors/rest/index.ts" },
  sqlite: { module: "../../../connectors/sqlite/index.ts", files: "only" },
};

/** Returns whether the host of a provider's accounts is a file or folder, unless it is a URL. */
export function mayBeFile(provider: string): boolean {
  return Object.hasOwn(known, provider) && known[provider]?.files !== undefined;
}

/**
 * Creates the connectors that the settings allow. A connector is imported only when an account uses it.
 * @throws {Error} if MANIFOLD_CONNECTORS contains an unknown connector, or one that needs MANIFOLD_FILE_FOLDERS
 */
export function createConnectors(options: ConnectorsOptions): Connectors {
  const { config, hasFolders, addressFor, load = loadModule } = options;
  const slugs = allowedSlugs(config.connectors, hasFolders);
  const modules = new Map<string, Promise<Connector>>();
  const plugins = new Map<string, Promise<Plugin>>();

  const once = <Value>(
    kept: Map<string, Promise<Value>>,
    name: string,
    make: () => Promise<Value>,
  ) => {
    const found = kept.get(name) ?? make();
    kept.set(name, found);
    // Failures are not cached, because a missing package may be installed in the meantime.
    found.catch(() => kept.get(name) === found && kept.delete(name));
    return found;
  };
  const moduleOf = (slug: string): string | undefined =>
    slugs.includes(slug) ? known[slug]?.module : undefined;
  const loaded = (module: string): Promise<Connector> =>
    once(modules, module, async () => readConnector(await load(module), module));

  const slugsFor = ({ folders }: Grant) =>
    slugs.filter((slug) => folders.length > 0 || known[slug]?.files !== "only");
  const keyOf = (module: string, grant: Grant) => `${module} ${grant.key}`;

  return {
    slugsFor,
    async properties(slug) {
      const module = moduleOf(slug);
      return module === undefined ? undefined : (await loaded(module)).properties;
    },
    async plugin(slug, grant) {
      const module = slugsFor(grant).includes(slug) ? moduleOf(slug) : undefined;
      if (module === undefined) return undefined;
      return once(plugins, keyOf(module, grant), async () => {
        const { open } = await loaded(module);
        const { folders } = grant;
        return open({
          reach: { address: addressFor(grant), isPublic: isPublicAddress, folders },
          timeoutMs: config.pluginTimeoutMs,
          sizeBytes: config.pluginAnswerMb * 2 ** 20,
        });
      });
    },
    async opened(slug, grant) {
      return plugins.get(keyOf(moduleOf(slug) ?? "", grant));
    },
    async close() {
      const all = [...plugins.values()];
      plugins.clear();
      for (const opened of await Promise.allSettled(all))
        if (opened.status === "fulfilled") await opened.value.close?.();
    },
  };
}

function allowedSlugs(given: readonly string[], hasFolders: boolean): readonly string[] {
  const all = Object.keys(known);
  if (given.length === 0) return all.filter((slug) => hasFolders || known[slug]?.files !== "only");
  if (given.length === 1 && given[0] === "none") return [];
  for (const slug of given) {
    if (!all.includes(slug))
      throw new Error(
        `MANIFOLD_CONNECTORS contains ${JSON.stringify(slug)}, which is not a connector; the connectors are: ${all.join(", ")}; use none to disable all`,
      );
    if (known[slug]?.files === "only" && !hasFolders)
      throw new Error(
        `MANIFOLD_CONNECTORS contains ${slug}, which opens files; set their folders in MANIFOLD_FILE_FOLDERS`,
      );
  }
  return all.filter((slug) => given.includes(slug));
}

function readConnector({ open, properties }: LoadedModule, module: string): Connector {
  if (!isOpen(open) || !Array.isArray(properties))
    throw new Error(`${module} must export open and properties`);
  return { open, properties };
}

/**
 * Narrows a module's export to a function that opens a connector. A test compares the types of all modules with
 * `Connector`.
 */
function isOpen(value: unknown): value is Connector["open"] {
  return typeof value === "function";
}
