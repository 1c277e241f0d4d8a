import type { Catalog, Log } from "../../catalog/index.ts";
import { usageEveryMs } from "./authenticate.ts";

export interface Usage {
  /** Records a use of a token without waiting for the write. */
  touch(authorizationId: string, at: number): void;
  /** Writes the last uses that are not stored yet. */
  close(): Promise<void>;
}

const knownCount = 20_000;

/** The statement skips a row that another host is writing, because both hosts would store almost the same last use. */
const statement = `
  update "authorization" a set last_used_at = used.at
    from unnest(?::uuid[], ?::timestamptz[]) as used (id, at)
   where a.id = used.id
     and a.id in (select b.id from "authorization" b where b.id = any(?::uuid[])
                     and (b.last_used_at is null or b.last_used_at <= now() - interval '59 seconds')
                   order by b.id for update skip locked)`;

export interface UsageOptions {
  readonly catalog: Pick<Catalog, "knex">;
  readonly log: Log;
  /** Delay in milliseconds between the first use and the statement that writes all uses since then. */
  readonly collectMs?: number;
}

/**
 * Opens the writer of last uses. It runs at most one statement per second for all tokens together, and writes each
 * token at most once per minute. A failed write is logged and retried with the next one.
 */
export function openUsage({ catalog, log, collectMs = 1_000 }: UsageOptions): Usage {
  const writtenAt = new Map<string, number>();
  let pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    timer = undefined;
    const batch = pending;
    pending = new Map();
    if (batch.size === 0) return;
    const ids = [...batch.keys()];
    const instants = [...batch.values()].map((at) => new Date(at).toISOString());
    try {
      await catalog.knex.raw(statement, [ids, instants, ids]);
    } catch (failure) {
      for (const id of ids) writtenAt.delete(id);
      log.warn({ err: failure, count: ids.length }, "the last use of tokens could not be written");
    }
  };

  return {
    touch(id, at) {
      if (at - (writtenAt.get(id) ?? -Infinity) < usageEveryMs) return;
      const [oldest] = writtenAt.keys();
      if (writtenAt.size >= knownCount && oldest !== undefined) writtenAt.delete(oldest);
      writtenAt.set(id, at);
      pending.set(id, at);
      timer ??= setTimeout(() => {
        writing = write();
      }, collectMs).unref();
    },
    async close() {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
