import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { legacyCapabilities } from "../../core/sources/connections/overHttp/legacyCapabilities.ts";
import {
  columnOfCells,
  type Capabilities,
  type Cell,
  type Plugin,
} from "../../plugins/protocol/index.ts";
import { openStrata } from "../../plugins/strata/index.ts";
import { needsClickhouse } from "./clickhouseDatabase.ts";
import { openClickhouseStore } from "./clickhouseStore.ts";
import { layer, rounds } from "./layer.ts";
import { createPlainHost, isStored, type PlainHost, type PlainHostOptions } from "./plainHost.ts";
import { createPlainPlugin, everyCapability } from "./plainPlugin.ts";

/** Capabilities of a plugin of the numbered protocol versions that supports pushdown. */
export const legacyPushdown: Capabilities = legacyCapabilities({
  slug: "legacy",
  baseUrl: "http://legacy.example.org",
  protocolVersion: "3.0.0",
  pushdown: true,
  supportsDistinctcount: false,
});

interface OpenedStore {
  readonly plugin: Plugin;
  close(): Promise<void>;
}

/** A function that opens a store for tests. */
export type OpenStore = () => Promise<OpenedStore>;

type NamedHost = readonly [name: string, host: PlainHost];

const call = { credentials: { properties: {} }, signal: new AbortController().signal };

/**
 * One host per kind of source. All hosts have the same rows, and use strata as scratch. The quick layer leaves out two
 * kinds of plugins, which have some of the capabilities.
 */
export interface EverySource {
  /** The store that `openSource` opened, or strata. Its dataset `sheet` contains the rows of the latest call. */
  readonly store: Plugin;
  hosts(options: PlainHostOptions): Promise<readonly NamedHost[]>;
  /** Returns the hosts whose source is a store. In the deep layer, ClickHouse is one of these stores. */
  stores(options: PlainHostOptions): Promise<readonly NamedHost[]>;
  /** Returns only the host whose source is `store`. */
  stored(options: PlainHostOptions): Promise<PlainHost>;
  close(): Promise<void>;
}

/**
 * Opens strata, which is the scratch plugin of all hosts. It is also the source of one host, unless `openSource` opens
 * another store for that host. Rows arrive in `pushCount` pushes.
 */
export async function openEverySource(
  openSource?: OpenStore,
  { pushCount = 1 }: { readonly pushCount?: number } = {},
): Promise<EverySource> {
  const dir = await mkdtemp(join(tmpdir(), "manifold-every-source-"));
  const strata = await openStrata({
    dir,
    workers: 1,
    memoryBytes: 2 ** 28,
    warmUp: false,
  });
  const other = await openSource?.();
  const store = other?.plugin ?? strata;
  // Each source is opened on first use.
  let clickhouse: Promise<OpenedStore> | undefined;
  const alsoClickhouse = layer === "deep" && !openSource && needsClickhouse.missing === undefined;
  const kinds: Readonly<Record<string, Capabilities>> = {
    "a plugin with every capability": everyCapability,
    "a basic plugin": {},
    ...rounds({
      quick: {},
      deep: {
        "a plugin with projection only": { projection: true },
        "a plugin of a numbered version with pushdown": legacyPushdown,
      },
    }),
  };
  const stored = async (options: PlainHostOptions): Promise<PlainHost> => {
    await fillStore(store, options, pushCount);
    return createPlainHost({ ...options, scratch: strata, wrap: () => store });
  };
  const stores = async (options: PlainHostOptions): Promise<readonly NamedHost[]> => {
    const first = [openSource ? "the store" : "strata", await stored(options)] as const;
    if (!alsoClickhouse) return [first];
    const { plugin } = await (clickhouse ??= openClickhouseStore());
    await fillStore(plugin, options, 1);
    const host = await createPlainHost({ ...options, scratch: strata, wrap: () => plugin });
    return [first, ["clickhouse as the store", host]];
  };
  return {
    store,
    stored,
    stores,
    async hosts(options) {
      const plain = Object.entries(kinds).map(
        async ([name, capabilities]) =>
          [
            name,
            await createPlainHost({
              ...options,
              source: createPlainPlugin(capabilities),
              scratch: strata,
            }),
          ] as const,
      );
      return [...(await Promise.all(plain)), ...(await stores(options))];
    },
    async close() {
      await other?.close();
      await (await clickhouse)?.close();
      await strata.close?.();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

let fillCount = 0;

/** Stores the rows of a host as the dataset `sheet`. */
async function fillStore(
  store: Plugin,
  { columns, rows }: PlainHostOptions,
  pushCount: number,
): Promise<void> {
  const stored = columns.filter(isStored).map(({ id, type }) => ({
    id: `source.${id}`,
    type: type === "spatial" ? ("hierarchy" as const) : type,
  }));
  const known = (await store.datasets(call)).some(({ id }) => id === "sheet");
  if (known) await store.write?.({ ...call, write: { action: "drop", id: "sheet" } });
  // In every second call, the store detects the column types from the rows.
  const rowsFollow = ++fillCount % 2 === 1;
  await store.write?.({
    ...call,
    write: { action: "create", id: "sheet", columns: stored, rowsFollow },
  });
  // A store with several servers writes each push to one of its servers.
  const partRows = Math.max(1, Math.ceil(rows.length / pushCount));
  for (let part = 0; part < pushCount; part++) {
    const some = rows.slice(part * partRows, (part + 1) * partRows);
    const cellsOf = (index: number): Cell[] => some.map((row) => row[index] ?? null);
    const vectors = stored.map((column, index) => columnOfCells(column, cellsOf(index)));
    const batch = { rowCount: some.length, columns: vectors };
    const columnIds = stored.map(({ id }) => id);
    const write = { action: "append" as const, id: "sheet", rows: { columnIds, batch } };
    await store.write?.({ ...call, write });
  }
}
