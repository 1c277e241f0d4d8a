import { randomInt } from "node:crypto";
import { Client, type ClientConfig } from "pg";
import type { CatalogAddress } from "./catalogAddress.ts";
import type { Log } from "./log.ts";

/** A sign that a host is alive: a lock that is held by a database session. The session ends together with the host. */
export interface Presence {
  /** Number that identifies the host while it runs. */
  readonly key: number;
  close(): Promise<void>;
}

export interface PresenceOptions {
  readonly address: CatalogAddress;
  readonly log: Pick<Log, "warn">;
  /** Calls a function after a number of milliseconds. Returns a function that cancels the call. */
  readonly after?: (run: () => void, ms: number) => () => void;
}

/** The first of the two keys of each lock. No other lock of the catalog has two keys. */
const lockClass = 1_296_649_033;
const lookMs = 5_000;
const answerMs = 5_000;

/** SQL that selects the keys of hosts with a live session on the server. */
export const presentKeys = `
  select objid::bigint from pg_locks
   where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass}::oid
     and database = (select oid from pg_database where datname = current_database())`;

/**
 * With these settings, the server notices a lost machine after about eleven seconds. It notices a killed process at
 * once.
 */
const settings =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3";

function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}

/**
 * Opens a session that holds this host's lock, and opens it again if it is lost. While the lock is lost, other hosts
 * consider this host dead, so no work may rely on the lock without further checks. Behind a pooler that shares
 * sessions, the lock has no meaning, and only leases apply.
 */
export async function openPresence({
  address,
  log,
  after = startTimer,
}: PresenceOptions): Promise<Presence> {
  const key = randomInt(1, 2 ** 31 - 1);
  const config: ClientConfig = {
    ...address,
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  };
  let client: Client | undefined;
  let isClosed = false;
  let forget = () => {};
  let looking: Promise<void> = Promise.resolve();
  const leave = async () => {
    const left = client;
    client = undefined;
    // The session ends when its connection closes, whatever the server responds.
    await left?.end().catch(() => undefined);
  };
  const look = async () => {
    try {
      if (client) await client.query("select 1");
      else {
        const next = new Client(config);
        next.on("error", () => {
          if (client === next) client = undefined;
        });
        client = next;
        await next.connect();
        await next.query(settings);
        await next.query("select pg_advisory_lock($1, $2)", [lockClass, key]);
      }
    } catch (failure) {
      log.warn({ err: failure }, "this host could not tell the other hosts that it is running");
      await leave();
    }
  };
  const again = () => {
    forget = after(() => {
      looking = look().then(() => {
        if (!isClosed) again();
      });
    }, lookMs);
  };
  await look();
  again();
  return {
    key,
    async close() {
      isClosed = true;
      forget();
      await looking;
      await leave();
    },
  };
}
