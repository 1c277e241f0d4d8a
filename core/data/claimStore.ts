import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Knex } from "knex";
import type { Log } from "../catalog/index.ts";

/** The hold of a host on the catalog, for a store whose rows are in its own folder. */
export interface StoreClaim {
  /** @throws {Error} when another host took the catalog over */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreClaimOptions {
  readonly knex: Knex;
  /** The slug of the store. */
  readonly store: string;
  readonly dataDir: string;
  readonly log: Pick<Log, "warn" | "error">;
  /** Runs something every so many milliseconds; returns what ends that. */
  readonly every?: (run: () => void, ms: number) => () => void;
}

/** Milliseconds for which the catalog belongs to a host without a sign of it. */
const leaseMs = 30_000;
const renewMs = 10_000;
const idFile = "store-id";

const claim = `
  insert into store_host as h (store, folder_id, place, host_id, expires_at)
  values (:store, :folder::uuid, :place, :host::uuid, clock_timestamp() + :lease * interval '1 millisecond')
  on conflict (store) do update
     set folder_id = excluded.folder_id, place = excluded.place, host_id = excluded.host_id,
         expires_at = excluded.expires_at
   where h.expires_at < clock_timestamp() or (h.folder_id = excluded.folder_id and h.place = excluded.place)
  returning host_id`;

const renew = `
  update store_host set expires_at = clock_timestamp() + :lease * interval '1 millisecond'
   where store = :store and host_id = :host::uuid returning host_id`;

const readHolder = `
  select place, greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as left_s
    from store_host where store = ?`;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

/**
 * Claims the catalog for a store whose rows are in the folder of this host: a second host would answer without them,
 * and drop what it does not know. A host that starts again on its folder gets the claim at once; another one when the
 * first has given no sign for half a minute.
 * @throws {Error} that names the host that has it, and the way out
 */
export async function claimStore(options: StoreClaimOptions): Promise<StoreClaim> {
  const { knex, store, dataDir, log, every = startTimer } = options;
  const hostId = randomUUID();
  const bindings = { store, host: hostId, lease: leaseMs };
  const folder = await folderId(dataDir);
  const place = `${hostname()}:${resolve(dataDir)}`;
  const { rows: claimed }: { rows: object[] } = await knex.raw(claim, {
    ...bindings,
    folder,
    place,
  });
  if (claimed.length === 0) {
    const { rows }: { rows: { place: string; left_s: number }[] } = await knex.raw(readHolder, [
      store,
    ]);
    const [holder] = rows;
    throw new Error(
      `the catalog belongs to a host whose rows are in its own folder (${holder?.place ?? "unknown"}), and this one would not see them: give this host a database of its own in DATABASE_URL, or have all hosts share a store with MANIFOLD_STORE=clickhouse. If that host has ended, start again in ${holder?.left_s ?? 1} s`,
    );
  }
  let isLost = false;
  let renewing: Promise<void> = Promise.resolve();
  const end = every(() => {
    renewing = knex.raw(renew, bindings).then(
      ({ rows }: { rows: object[] }) => {
        if (rows.length > 0 || isLost) return;
        isLost = true;
        log.error({ place }, "another host took the catalog over: end this one");
      },
      (failure: unknown) => log.warn({ err: failure }, "the hold on the catalog was not renewed"),
    );
  }, renewMs);
  return {
    async check() {
      if (isLost) throw new Error("another host took the catalog over");
    },
    async close() {
      end();
      await renewing;
      await knex("store_host").where({ store, host_id: hostId }).delete();
    },
  };
}

/** The id of a data folder, made once; it goes where the folder goes. */
async function folderId(dataDir: string): Promise<string> {
  const file = join(dataDir, idFile);
  try {
    await writeFile(file, `${randomUUID()}\n`, { flag: "wx", mode: 0o600 });
  } catch (failure) {
    if (!(failure instanceof Error && "code" in failure && failure.code === "EEXIST"))
      throw failure;
  }
  return (await readFile(file, "utf8")).trim();
}
