import { createHash } from "node:crypto";
import type { Catalog } from "./catalog.ts";

/**
 * What a value depends on: everything in the catalog, or everything but what a push counts of the rows of a dataset
 * (`counted` in 245StructureVersion).
 */
export type Extent = "everything" | "structure";

/** Values read from the catalog, kept while nothing in it changes. */
export interface CatalogMemory {
  /**
   * Answers what `read` answered before under this name, or reads; callers at the same time share one reading. `sizeOf`
   * estimates the bytes of the value. A failure of `read` is thrown, and not kept.
   */
  remember<Value>(
    name: string,
    read: () => Promise<Value>,
    sizeOf: (value: Value) => number,
    extent?: Extent,
  ): Promise<Value>;
  /**
   * Names a caller by all that is known of it, for what is read on its behalf: equal members, equal name. A hash; maps
   * and sets count.
   */
  nameOf(caller: object): string;
  /** Drops everything: this host changed the catalog. */
  forget(): void;
  /** Has the next call read the versions anew: this host changed records whose triggers raise one. */
  lookAgain(): void;
}

interface CatalogMemoryOptions {
  readonly catalog: Pick<Catalog, "knex">;
  /** Bytes that are kept; what was not asked for longest goes first. */
  readonly sizeBytes?: number;
  /** Milliseconds on a clock that never goes back; another one in tests. */
  readonly elapsedMs?: () => number;
}

/** How long a look at the version vouches for everything that is kept. */
const vouchMs = 750;
/** Also without a change: plugins that were asked for what they can do may have learned. */
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
 * Makes the memory of what queries look up. Triggers raise the catalog's versions in the transaction of every change;
 * what is kept was read under a version, and each look at the versions vouches for it for 750 ms: that long at most a
 * change on another host goes unseen. When the catalog does not answer, nothing is answered.
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
      // A read from before a change of this host must not vouch for anything after it.
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
 * Returns a hash of everything that a caller is: user, rights, filters, parameters, overrides. Equal callers have equal
 * names, and different ones different names.
 * @throws {TypeError} for a member that is neither plain data nor a map or set of it
 */
export function nameOfCaller(caller: object): string {
  const text = JSON.stringify(caller, (_member, value: unknown) => listed(value));
  return createHash("sha256").update(text).digest("base64");
}

function listed(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (typeof value === "function" || typeof value === "bigint")
    throw new TypeError("a caller holds a value that has no name");
  return value;
}
