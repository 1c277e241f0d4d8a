import type { Catalog, CatalogAddress } from "../../catalog/index.ts";
import type { GatedPlugin } from "./gateWrites.ts";

/**
 * The state of a host at one instant. While the snapshot is held, another process of the machine can read the state.
 */
export interface HostSnapshot {
  readonly takenAt: string;
  readonly secret: string;
  readonly catalog: {
    readonly address: CatalogAddress;
    /** The name of the exported snapshot for `set transaction snapshot`. */
    readonly transactionSnapshot: string;
  };
  readonly store: {
    readonly slug: string;
    readonly datasetCount: number;
    readonly rowCount: number;
    readonly folder: string;
    readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  };
}

export interface SnapshotSources {
  readonly catalog: Pick<Catalog, "transactions" | "address">;
  readonly store: GatedPlugin & { readonly slug: string };
  readonly secret: string;
}

/** A snapshot that is held until `end` is called. Calling `end` again does nothing. */
export interface HeldSnapshot {
  readonly snapshot: HostSnapshot;
  end(): Promise<void>;
}

/**
 * Holds the state of catalog and store at one instant. No write to the store starts while both are read, so a crash at
 * that instant could have left the same state. Every start repairs that state, because the outbox undoes uncommitted
 * changes. Queries continue, and pushes wait for some milliseconds.
 * @throws {Error} if the store has no files of its own
 * @throws {PluginError} PLUGIN_CONFLICT while another snapshot is held
 */
export async function holdSnapshot(sources: SnapshotSources): Promise<HeldSnapshot> {
  const { catalog, store, secret } = sources;
  const { plugin, slug } = store;
  const files = plugin.snapshot?.bind(plugin);
  if (!files)
    throw new Error(
      `the store ${slug} has no files that a backup could copy; back up the catalog (PostgreSQL) first and then ${slug}, each with its own tools`,
    );
  const signal = AbortSignal.timeout(60_000);
  return store.hold(async () => {
    const transaction = await catalog.transactions.transaction({
      isolationLevel: "repeatable read",
      readOnly: true,
    });
    const rollback = async () => {
      if (!transaction.isCompleted()) await transaction.rollback();
    };
    try {
      const { rows } = await transaction.raw<{ rows: { snapshot: string }[] }>(
        "select pg_export_snapshot() as snapshot",
      );
      const takenAt = new Date().toISOString();
      const kept = await files();
      try {
        const datasets = await plugin.datasets({ credentials: { properties: {} }, signal });
        return {
          snapshot: {
            takenAt,
            secret,
            catalog: {
              address: catalog.address,
              transactionSnapshot: String(rows[0]?.snapshot),
            },
            store: {
              slug,
              datasetCount: datasets.length,
              rowCount: datasets.reduce((sum, { rows: count = 0 }) => sum + count, 0),
              folder: kept.folder,
              files: kept.files,
            },
          },
          async end() {
            await rollback();
            await kept.end();
          },
        };
      } catch (failure) {
        await kept.end();
        throw failure;
      }
    } catch (failure) {
      await rollback();
      throw failure;
    }
  });
}
