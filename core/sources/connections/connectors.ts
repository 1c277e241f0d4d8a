import {
  type AccountProperty,
  type Connector,
  type Plugin,
  PluginError,
  type Reach,
} from "../../../plugins/protocol/index.ts";
import type { Config } from "../../base/index.ts";
import type { DriverName } from "../drivers/index.ts";
import type { Grant } from "./grants.ts";
import { isPublicAddress } from "./isPublicAddress.ts";
import { type ConnectorPackage, isPackageEntry } from "./loadConnectorPackages.ts";
import { type LoadedModule, loadModule } from "./loadModule.ts";
import { namedError } from "./namedError.ts";

/** The connectors that accounts may name as their provider. */
export interface Connectors {
  /**
   * Returns the slugs that are available with a grant, in alphabetical order. A grant without folders excludes
   * connectors that only open files.
   */
  slugsFor(grant: Grant): readonly string[];
  /** Returns whether the `host` of a provider's accounts may be the path of a file or folder. A URL is not a path. */
  mayBeFile(provider: string): boolean;
  /** Returns the properties that accounts of a connector may have; undefined if the provider is not a connector. */
  properties(slug: string): Promise<readonly AccountProperty[] | undefined>;
  /**
   * Imports and opens a connector at its first use; undefined if the provider is not a connector. Each grant has a
   * separate plugin, so organizations share pools and descriptions only if they may reach the same hosts and folders.
   * @throws {ApiError} DRIVER_INSTALLING or DRIVER_MISSING if the connector needs a driver that is not installed yet
   */
  plugin(slug: string, grant: Grant): Promise<Plugin | undefined>;
  /** Returns a connector that was already opened with a grant, without importing it; undefined if it was not opened. */
  opened(slug: string, grant: Grant): Promise<Plugin | undefined>;
  close(): Promise<void>;
}

export interface ConnectorsOptions {
  readonly config: Pick<Config, "connectors" | "pluginTimeoutMs" | "pluginAnswerMb">;
  /** Whether any organization may open a folder. */
  readonly hasFolders: boolean;
  readonly addressFor: (grant: Grant) => Reach["address"];
  /**
   * The connectors that the operator has added, by slug.
   * @default none
   */
  readonly packages?: ReadonlyMap<string, ConnectorPackage>;
  /**
   * Returns the URL of a driver's main module, and installs the driver if it is missing.
   * @default connectors import the packages that are installed next to them
   */
  readonly locateDriver?: (name: DriverName) => Promise<string>;
  /** Replaces the modules of this package in tests. */
  readonly load?: (folder: string) => Promise<LoadedModule>;
}

interface Known extends Pick<Connector, "files"> {
  readonly module: string;
  /** The driver that the connector needs, if it is not a dependency of the host. */
  readonly driver?: DriverName;
}

/** The connectors by the name of their provider on the wire, each with its module. */
const known: Readonly<Record<string, Known>> = {
  clickhouse: { module: "connectors/clickhouse" },
  duckdb: { module: "connectors/duckdb", files: "only", driver: "duckdb" },
  files: { module: "connectors/files", files: "also" },
  mariadb: { module: "connectors/mysql", driver: "mysql" },
  mysql: { module: "connectors/mysql", driver: "mysql" },
  postgresql: { module: "connectors/postgres" },
  rest: { module: "connectors/rest" },
  sqlite: { module: "connectors/sqlite", files: "only" },
};

/** The slugs of the connectors of this package. */
export const ownConnectorSlugs: readonly string[] = Object.keys(known);

/**
 * Creates the connectors that the settings allow, and those that the operator has added. A connector of this package is
 * imported only when an account uses it.
 * @throws {Error} if MANIFOLD_CONNECTORS contains an unknown connector, or one that needs MANIFOLD_FILE_FOLDERS
 */
export function createConnectors(options: ConnectorsOptions): Connectors {
  const {
    config,
    hasFolders,
    addressFor,
    locateDriver,
    packages = new Map(),
    load = loadModule,
  } = options;
  const filesOf = (slug: string) =>
    packages.has(slug)
      ? packages.get(slug)?.connector.files
      : Object.hasOwn(known, slug)
        ? known[slug]?.files
        : undefined;
  const slugs = allowedSlugs(config.connectors, { hasFolders, packages });
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
  /** Returns the module of a connector, or the slug of a connector that the operator has added. */
  const moduleOf = (slug: string): string | undefined =>
    slugs.includes(slug) ? (packages.has(slug) ? slug : known[slug]?.module) : undefined;
  const loaded = async (module: string): Promise<Connector> =>
    packages.get(module)?.connector ??
    once(modules, module, async () => readConnector(await load(module), module));

  const slugsFor = ({ folders }: Grant) =>
    slugs.filter((slug) => folders.length > 0 || filesOf(slug) !== "only");
  const keyOf = (module: string, grant: Grant) => `${module} ${grant.key}`;

  return {
    slugsFor,
    mayBeFile: (provider) => filesOf(provider) !== undefined,
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
        const driver = known[slug]?.driver;
        const driverUrl = driver && (await locateDriver?.(driver));
        const opening = open({
          reach: { address: addressFor(grant), isPublic: isPublicAddress, folders },
          timeoutMs: config.pluginTimeoutMs,
          sizeBytes: config.pluginAnswerMb * 2 ** 20,
          ...(driverUrl !== undefined && { driverUrl }),
        });
        return packages.has(slug) ? openedPlugin(opening, slug) : opening;
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

interface Available extends Pick<ConnectorsOptions, "hasFolders"> {
  readonly packages: ReadonlyMap<string, ConnectorPackage>;
}

function allowedSlugs(
  given: readonly string[],
  { hasFolders, packages }: Available,
): readonly string[] {
  const words = given.filter((entry) => !isPackageEntry(entry));
  const isOpen = (slug: string) => hasFolders || known[slug]?.files !== "only";
  const own = () => {
    if (given.length === 0 || words.includes("all")) return ownConnectorSlugs.filter(isOpen);
    return ownConnectorSlugs.filter((slug) => words.includes(slug));
  };
  if (words.includes("none") && given.length > 1)
    throw new Error("MANIFOLD_CONNECTORS contains none, which must be its only entry");
  for (const slug of words) {
    if (slug === "all" || slug === "none") continue;
    if (!ownConnectorSlugs.includes(slug))
      throw new Error(
        `MANIFOLD_CONNECTORS contains ${JSON.stringify(slug)}, which is not a connector; the connectors are: ${ownConnectorSlugs.join(", ")}; use none to disable all, and npm:package or slug=npm:package for a connector in a package of its own`,
      );
    if (!isOpen(slug))
      throw new Error(
        `MANIFOLD_CONNECTORS contains ${slug}, which opens files; set their folders in MANIFOLD_FILE_FOLDERS`,
      );
  }
  for (const [slug, { connector, origin }] of packages)
    if (connector.files === "only" && !hasFolders)
      throw new Error(
        `${origin} (${slug}) opens files; set their folders in MANIFOLD_FILE_FOLDERS`,
      );
  return [...own(), ...packages.keys()].toSorted();
}

/**
 * Checks the result of a connector that the operator has added. Errors contain the slug of the connector.
 * @throws {PluginError} PLUGIN_BUG unless the connector opened a plugin
 */
async function openedPlugin(opening: Promise<Plugin>, slug: string): Promise<Plugin> {
  try {
    const plugin = await opening;
    if (isPlugin(plugin)) return plugin;
  } catch (failure) {
    throw namedError(failure, slug);
  }
  throw new PluginError("PLUGIN_BUG", [
    `open of the connector ${slug} must return a plugin with capabilities, datasets and query`,
  ]);
}

function isPlugin(value: Partial<Plugin> | undefined): value is Plugin {
  return (
    typeof value?.capabilities === "object" &&
    typeof value.datasets === "function" &&
    typeof value.query === "function"
  );
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
