import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Knex } from "knex";
import { type Log, presentKeys } from "../../catalog/index.ts";

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
  select folder_id, place, expires_at > clock_timestamp() as lives, greatest(1, ceil(extract(epoch from expires_at - clock_timestamp())))::int as left_s
    from store_host where store = ?`;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}

/**
 * Claims the catalog for a store whose rows are in the folder of this host: a second host would answer without them,
 * and drop what it does not know. A host that starts again on its folder gets the claim at once; another one when the
 * first has given no sign for half a minute.
 * @throws {Error} that names the host that has it, or says that hosts with another store run, and the way out
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
      `the catalog belongs to a host whose rows are in its own folder (${holder?.place ?? "unknown"}), and this one would not see them: give this host a database of its own in DATABASE_URL, or have all hosts share a store with MANIFOLD_STORE=clickhouse. If that host has ended, start again in ${holder?.leftS ?? 1} s`,
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

interface Holder {
  /** Its machine and data folder. */
  readonly place: string;
  /** Seconds until it counts as ended without a sign. */
  readonly leftS: number;
  /** Whether it is, or was, a host on the same folder. */
  readonly isOwn: boolean;
}

/** Looks for the host that has the catalog for a store of its own folder; undefined when none gave a sign of late. */
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

/** @throws {Error} when hosts run that share another store: they would not see the rows in the folder of this one */
export async function refuseSharers({
  knex,
  store,
}: Pick<StoreClaimOptions, "knex" | "store">): Promise<void> {
  const { rows }: { rows: object[] } = await knex.raw(presentKeys);
  if (rows.length === 0) return;
  throw new Error(
    `${rows.length} hosts with a shared store run on this catalog, and would not see the rows in the folder of this one: start this host with their MANIFOLD_STORE, or end them before you start with MANIFOLD_STORE=${store}`,
  );
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
