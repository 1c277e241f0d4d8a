import { createHash } from "node:crypto";
import type { Catalog } from "./catalog.ts";

/**
 * The part of the catalog that a value depends on. `structure` excludes the counts that a push updates for a dataset
 * (`counted` in the trigger of `structure_version`).
 */
export type Extent = "everything" | "structure";

/**
 * A cache of values that are read from the catalog. A value is valid until the part of the catalog on which it depends
 * changes.
 */
export interface CatalogMemory {
  /**
   * Returns the cached value of this name; if there is none, calls `read` and caches the result. Concurrent callers
   * share one call. `sizeOf` estimates the size of the value in bytes. Errors of `read` are thrown and not cached.
   */
  remember<Value>(
    name: string,
    read: () => Promise<Value>,
    sizeOf: (value: Value) => number,
    extent?: Extent,
  ): Promise<Value>;
  /**
   * Returns a cache name for values that are read on behalf of a caller. Callers with equal members get equal names.
   * The name is a hash that also covers maps and sets.
   */
  nameOf(caller: object): string;
  /** Drops all cached values, because this host has changed the catalog. */
  forget(): void;
  /**
   * Makes the next call read the versions again, because this host has changed records whose triggers increase a
   * version.
   */
  lookAgain(): void;
}

interface CatalogMemoryOptions {
  readonly catalog: Pick<Catalog, "knex">;
  /** Maximum size of cached values in bytes. The least recently used values are dropped first. */
  readonly sizeBytes?: number;
  /** Monotonic clock in milliseconds; replaceable in tests. */
  readonly elapsedMs?: () => number;
}

/** Milliseconds after a check of the versions during which cached values are returned without another check. */
const vouchMs = 750;
/**
 * Milliseconds until a value is dropped even without a change in the catalog, because plugins may have gained
 * capabilities.
 */
const longestMs = 60_000;
const entryBytes = 500;

type Versions = Readonly<Record<Extent, string>>;

interface Kept {
  readonly version: string;
  readonly readAt: number;
  readonly value: Promise<unknown>;
  sizeBytes: number;
}

const unknown: Versions = { everything: "", structure: "" };

/**
 * Creates the cache for records that queries look up. Triggers increase the catalog's versions in the transaction of
 * every change. Each cached value belongs to a version. For 750 ms after a check of the versions, cached values are
 * returned without another check, so a change on another host is noticed within that time. If the catalog does not
 * respond, calls fail.
 */
export function createCatalogMemory({
  catalog,
  sizeBytes: limitBytes = 64 * 2 ** 20,
  elapsedMs = () => performance.now(),
}: CatalogMemoryOptions): CatalogMemory {
  const kept = new Map<string, Kept>();
  let sizeBytes = 0;
  let latest = { versions: unknown, readAt: -Infinity };
  let looking: Promise<Versions> | undefined;
  let changes = 0;
  const names = new WeakMap<object, string>();

  const clear = () => {
    kept.clear();
    sizeBytes = 0;
  };
  const drop = (name: string, entry: Kept) => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    sizeBytes -= entry.sizeBytes;
  };
  const look = async (): Promise<Versions> => {
    const readAt = elapsedMs();
    const before = changes;
    try {
      const rows: readonly { catalog_version: string; structure_version: string }[] = await catalog
        .knex("access_version")
        .select("catalog_version", "structure_version");
      const [row] = rows;
      const versions = {
        everything: String(row?.catalog_version),
        structure: String(row?.structure_version),
      };
      // If this host changed something after the read started, the read must not confirm cached values.
      if (before === changes) {
        if (versions.structure !== latest.versions.structure) clear();
        latest = { versions, readAt };
      }
      return versions;
    } finally {
      if (before === changes) looking = undefined;
    }
  };
  const currentVersions = (): Versions | Promise<Versions> =>
    elapsedMs() - latest.readAt < vouchMs ? latest.versions : (looking ??= look());
  const lookAgain = () => {
    changes++;
    looking = undefined;
    latest = { ...latest, readAt: -Infinity };
  };
  const grow = (name: string, entry: Kept, bytes: number) => {
    if (kept.get(name) !== entry) return;
    entry.sizeBytes += bytes;
    sizeBytes += bytes;
    for (const [oldest, each] of kept) {
      if (sizeBytes <= limitBytes) return;
      drop(oldest, each);
    }
  };

  return {
    async remember(name, read, sizeOf, extent = "everything") {
      const { [extent]: version } = await currentVersions();
      const known = kept.get(name);
      const now = elapsedMs();
      if (known?.version === version && now - known.readAt < longestMs) {
        kept.delete(name);
        kept.set(name, known);
        return known.value as ReturnType<typeof read>;
      }
      const value = read();
      if (version !== latest.versions[extent]) return value;
      if (known) drop(name, known);
      const entry: Kept = { version, readAt: now, value, sizeBytes: 0 };
      kept.set(name, entry);
      grow(name, entry, entryBytes + 2 * name.length);
      value.then(
        (found) => grow(name, entry, sizeOf(found)),
        () => drop(name, entry),
      );
      return value;
    },
    nameOf(caller) {
      const known = names.get(caller);
      if (known !== undefined) return known;
      const name = nameOfCaller(caller);
      names.set(caller, name);
      return name;
    },
    forget() {
      lookAgain();
      latest = { ...latest, versions: unknown };
      clear();
    },
    lookAgain,
  };
}

/**
 * Returns a hash of all properties of a caller: user, rights, filters, parameters and overrides. Only equal callers
 * have equal hashes.
 * @throws {TypeError} for a member that is neither plain data nor a map or set of plain data
 */
export function nameOfCaller(caller: object): string {
  const text = JSON.stringify(caller, (_member, value: unknown) => listed(value));
  return createHash("sha256").update(text).digest("base64");
}

function listed(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (typeof value === "function" || typeof value === "bigint")
    throw new TypeError("a caller must consist of plain data, maps and sets");
  return value;
}
