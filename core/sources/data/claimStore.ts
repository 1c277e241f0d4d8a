import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Knex } from "knex";
import { type Log, presentKeys } from "../../catalog/index.ts";

/** A host's claim on the catalog, for a store whose rows are in the host's own folder. */
export interface StoreClaim {
  /** Checks that the claim is still valid. @throws {Error} if another host has taken over the catalog */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreClaimOptions {
  readonly knex: Knex;
  /** The slug of the store. */
  readonly store: string;
  readonly dataDir: string;
  readonly log: Pick<Log, "warn" | "error">;
  /** Runs a function at an interval in milliseconds. Returns a function that stops it. */
  readonly every?: (run: () => void, ms: number) => () => void;
}

/** Milliseconds for which a claim stays valid without being renewed. */
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
  select folder_id, place, expires_at > clock_timestamp() as lives, greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as left_s
    from store_host where store = ?`;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

/**
 * Claims the catalog for a store whose rows are in the folder of this host. Without the claim, a second host would
 * answer without these rows, and drop datasets that it does not know. A host that restarts with the same folder gets
 * the claim at once. Another host gets the claim if it has not been renewed for half a minute.
 * @throws {Error} that names the host with the claim, or states that hosts with another store are running, and what to
 * do
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
    const holder = await holderOf(options);
    throw new Error(
      `the catalog belongs to a host whose rows are in its own folder (${holder?.place ?? "unknown"}), where this host cannot see them: give this host its own database in DATABASE_URL, or let all hosts share a store with MANIFOLD_STORE=clickhouse. If that host no longer runs, start again in ${holder?.leftS ?? 1} s`,
    );
  }
  let isLost = false;
  let renewing: Promise<void> = Promise.resolve();
  const end = every(() => {
    renewing = knex.raw(renew, bindings).then(
      ({ rows }: { rows: object[] }) => {
        if (rows.length > 0 || isLost) return;
        isLost = true;
        log.error({ place }, "another host has taken over the catalog; stop this host");
      },
      (failure: unknown) =>
        log.warn({ err: failure }, "the claim on the catalog could not be renewed"),
    );
  }, renewMs);
  return {
    async check() {
      if (isLost) throw new Error("another host has taken over the catalog");
    },
    async close() {
      end();
      await renewing;
      await knex("store_host").where({ store, host_id: hostId }).delete();
    },
  };
}

interface Holder {
  /** The machine and data folder of the host. */
  readonly place: string;
  /** Seconds until the claim expires if it is not renewed. */
  readonly leftS: number;
  /** Whether the host with the claim uses the same folder as this host. */
  readonly isOwn: boolean;
}

/** Finds the host that has claimed the catalog for a store in that host's folder; undefined if no claim is valid. */
export async function holderOf({
  knex,
  store,
  dataDir,
}: Pick<StoreClaimOptions, "knex" | "store" | "dataDir">): Promise<Holder | undefined> {
  type Row = { folder_id: string; place: string; lives: boolean; left_s: number };
  const { rows }: { rows: Row[] } = await knex.raw(readHolder, [store]);
  const [holder] = rows;
  if (!holder?.lives) return undefined;
  const { folder_id: folder, place, left_s: leftS } = holder;
  return { place, leftS, isOwn: folder === (await folderId(dataDir)) };
}

/**
 * Refuses to start next to hosts with a shared store. @throws {Error} if such hosts are running, because they would not
 * see the rows in the folder of this host
 */
export async function refuseSharers({
  knex,
  store,
}: Pick<StoreClaimOptions, "knex" | "store">): Promise<void> {
  const { rows }: { rows: object[] } = await knex.raw(presentKeys);
  if (rows.length === 0) return;
  throw new Error(
    `${rows.length} hosts with a shared store run on this catalog and would not see the rows in the folder of this host: start this host with their MANIFOLD_STORE, or stop them before you start it with MANIFOLD_STORE=${store}`,
  );
}

/** Returns the id of a data folder, which is created once and moves with the folder. */
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
