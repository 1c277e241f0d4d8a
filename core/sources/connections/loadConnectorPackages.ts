import { join } from "node:path";
import type { AccountProperty, Connector } from "../../../plugins/protocol/index.ts";
import { type ConnectorImports, isObject, messageOf } from "../../base/index.ts";
import { loadPackage, storeSlugs } from "./inProcess.ts";
import type { LoadedModule } from "./loadModule.ts";

/** A connector that the operator has added to the host. */
export interface ConnectorPackage {
  readonly connector: Connector;
  /** Where the connector comes from, for messages. */
  readonly origin: string;
}

export interface ConnectorPackagesOptions {
  /** The entries of MANIFOLD_CONNECTORS. Entries that do not name a package are ignored. */
  readonly entries: readonly string[];
  /** The functions of `openHost` that import connectors, by slug. */
  readonly imports: ConnectorImports;
  /** Slugs of the host's own connectors. */
  readonly ownSlugs: readonly string[];
  /**
   * Folders from which packages are resolved. A package is imported from the first folder in which it is found.
   * @default the current folder, and the folder of the host
   */
  readonly folders?: readonly string[];
}

/**
 * Milliseconds within which a package must be imported. Without this limit, an import that never ends would block the
 * start without a message.
 */
const importMs = 60_000;
const hostFolder = join(import.meta.dirname, "../../..");
/** Words that MANIFOLD_CONNECTORS gives another meaning, and slugs of plugins that no account may use. */
const reservedSlugs = ["all", "none", ...storeSlugs];

/** Returns whether an entry of MANIFOLD_CONNECTORS names a package. */
export function isPackageEntry(entry: string): boolean {
  return /(?:^|=)\s*npm:/.test(entry);
}

/**
 * Imports the connectors that the operator has added to the host, by slug. All of them are imported at start, so that a
 * wrong entry makes the start fail, rather than the first use of an account.
 * @throws {Error} naming the entry, the reason and the remedy
 */
export async function loadConnectorPackages(
  options: ConnectorPackagesOptions,
): Promise<ReadonlyMap<string, ConnectorPackage>> {
  const { entries, imports, ownSlugs, folders = [process.cwd(), hostFolder] } = options;
  const found = new Map<string, ConnectorPackage>();
  const add = (given: string | undefined, origin: string, module: LoadedModule): void => {
    const connector = readConnector(module, origin);
    const slug = readSlug(given ?? connector.slug, origin);
    const taken = ownSlugs.includes(slug) ? "a connector of the host" : found.get(slug)?.origin;
    if (taken !== undefined)
      throw new Error(
        `${origin} has the slug ${slug}, which ${taken} has too; ${chooseSlug(origin, `my-${slug}`)}`,
      );
    found.set(slug, { connector, origin });
  };
  for (const entry of entries.filter(isPackageEntry)) {
    const { slug, name } = parseEntry(entry);
    const origin = `MANIFOLD_CONNECTORS: ${name}`;
    add(slug, origin, await importFrom(folders, name, origin));
  }
  for (const [slug, load] of Object.entries(imports)) {
    const origin = `connectors.${slug} of openHost`;
    if (typeof load !== "function")
      throw new Error(`${origin} must be a function that imports a connector`);
    add(slug, origin, readModule(await untilLoaded(load, origin), origin));
  }
  return found;
}

const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

function parseEntry(entry: string): { readonly slug: string | undefined; readonly name: string } {
  const at = entry.indexOf("npm:");
  const slug = at === 0 ? undefined : entry.slice(0, entry.indexOf("=")).trim();
  const name = entry.slice(at + "npm:".length).trim();
  if (packageName.test(name)) return { slug, name };
  throw new Error(
    `MANIFOLD_CONNECTORS contains ${JSON.stringify(entry)}, which must name an installed package without a version or path: npm:@acme/manifold-firebird, or firebird=npm:@acme/manifold-firebird; programs can import other modules with openHost({ connectors })`,
  );
}

/** Imports a package from the first folder that has it. */
async function importFrom(
  folders: readonly string[],
  name: string,
  origin: string,
): Promise<LoadedModule> {
  for (const folder of folders)
    try {
      return readModule(await untilLoaded(() => loadPackage(name, folder), origin), origin);
    } catch (failure) {
      if (!(failure instanceof Error) || !isMissing(failure.cause, name)) throw failure;
    }
  throw new Error(
    `${origin} is not installed in ${folders.join(" or ")}; run npm install ${name} in the folder in which you start the host`,
  );
}

/** Returns whether the package itself is missing, and not a package that it needs. */
function isMissing(cause: unknown, name: string): boolean {
  return (
    cause instanceof Error &&
    "code" in cause &&
    cause.code === "ERR_MODULE_NOT_FOUND" &&
    cause.message.startsWith(`Cannot find package '${name}' `)
  );
}

async function untilLoaded(load: () => unknown, origin: string): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`it did not finish within ${importMs / 1000} s`)),
    importMs,
  );
  try {
    return await Promise.race([Promise.try(load), late.promise]);
  } catch (cause) {
    throw new Error(`${origin} cannot be imported: ${messageOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function readModule(module: unknown, origin: string): LoadedModule {
  if (!isObject(module)) throw new Error(`${origin} must be a module, not ${typeof module}`);
  const { default: own } = module;
  // A CommonJS module may have its exports only as the default export.
  return !("open" in module) && isObject(own) ? own : module;
}

function readConnector(module: LoadedModule, origin: string): Connector {
  const { open, properties, slug, files, protocolVersion = "manifold-1" } = module;
  // The version comes first, because the other exports may differ in another version.
  if (protocolVersion !== "manifold-1")
    throw new Error(
      `${origin} speaks the protocol ${JSON.stringify(protocolVersion)}, but a connector of this host must speak manifold-1; install a release of the connector for this host`,
    );
  if (!isOpen(open) || !Array.isArray(properties))
    throw new Error(
      `${origin} must export open, a function that opens the connector, and properties, the list of the members that its accounts may have (Connector of @manifold-analytics/plugin); it exports ${Object.keys(module).join(", ") || "nothing"}`,
    );
  const declared = properties.map((each: unknown, index) => {
    if (isProperty(each)) return each;
    throw new Error(
      `${origin}: properties[${index}] must have an id, a label, and a type (${propertyTypes.join(", ")}), and a property of type select must have a list of options`,
    );
  });
  const ids = declared.map(({ id }) => id.toLowerCase());
  const repeated = declared.find(({ id }, index) => ids.indexOf(id.toLowerCase()) !== index);
  if (repeated)
    throw new Error(
      `${origin}: the ids of properties must be distinct, but ${repeated.id} occurs twice`,
    );
  if (files !== undefined && files !== "only" && files !== "also")
    throw new Error(
      `${origin} exports files ${JSON.stringify(files)}, which must be "only" or "also"`,
    );
  return {
    open,
    properties: declared,
    ...(files && { files }),
    ...(typeof slug === "string" && { slug }),
  };
}

const propertyTypes = [
  "text",
  "password",
  "number",
  "boolean",
  "select",
] as const satisfies readonly AccountProperty["type"][];

function isProperty(value: unknown): value is AccountProperty {
  if (!isObject(value)) return false;
  const { id, label, type, options } = value;
  const isText = (each: unknown) => typeof each === "string" && each !== "";
  const hasOptions = Array.isArray(options) && options.length > 0 && options.every(isText);
  return (
    isText(id) &&
    isText(label) &&
    propertyTypes.some((each) => each === type) &&
    (type === "select") === hasOptions
  );
}

function isOpen(value: unknown): value is Connector["open"] {
  return typeof value === "function";
}

function readSlug(slug: string | undefined, origin: string): string {
  if (slug === undefined)
    throw new Error(`${origin} does not export a slug; ${chooseSlug(origin, "firebird")}`);
  if (/^[a-z0-9_-]{1,50}$/.test(slug) && !reservedSlugs.includes(slug)) return slug;
  throw new Error(
    `${origin} has the slug ${JSON.stringify(slug)}, which must have 1 to 50 lowercase letters, digits, - or _, and must not be one of ${reservedSlugs.join(", ")}; ${chooseSlug(origin, "firebird")}`,
  );
}

/** Returns words for a message that tell an operator how to choose a slug. */
function chooseSlug(origin: string, example: string): string {
  const name = origin.replace("MANIFOLD_CONNECTORS: ", "");
  return origin === name
    ? "choose another member name in connectors"
    : `choose a slug, as in ${example}=npm:${name}`;
}
