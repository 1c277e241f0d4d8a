import type { Handler, ResourceHandlers } from "../../base/index.ts";
import { arrayBinding, type Catalog, type Log } from "../../catalog/index.ts";

/** Counts the visits through private links. */
export interface Visits {
  /** Wraps handlers so that views and queries through a private link are counted. */
  counting(resource: string, handlers: ResourceHandlers): ResourceHandlers;
  /** Writes pending counts. */
  close(): Promise<void>;
}

interface Count {
  viewCount: number;
  queryCount: number;
  lastViewedAt: string | null;
}

const collectMs = 1_000;
/** Maximum number of shares with pending counts. When it is reached, the counts are written at once. */
const waitingCount = 10_000;

const totals = `
  with seen as (
    select * from unnest(?::text[], ?::float8[], ?::float8[], ?::timestamptz[]) as t (id, views, queries, at)),
  held as (select s.id from share s join seen on seen.id = s.id order by s.id for update of s)
  update share s
     set view_count = s.view_count + seen.views, query_count = s.query_count + seen.queries,
         last_viewed_at = greatest(s.last_viewed_at, seen.at)
    from seen where s.id = seen.id and s.id in (select id from held)`;

const days = `
  insert into sharestatistic (share_id, day, view_count, query_count)
  select s.id, to_char(now() at time zone 'utc', 'YYYY-MM-DD'), seen.views, seen.queries
    from unnest(?::text[], ?::float8[], ?::float8[]) as seen (id, views, queries)
    join share s on s.id = seen.id order by s.id
  on conflict (share_id, day) do update
     set view_count = sharestatistic.view_count + excluded.view_count,
         query_count = sharestatistic.query_count + excluded.query_count, updated_at = now()`;

/**
 * Opens the statistics of private links. Recording them costs at most two SQL statements per second, however many
 * visits there are. Each `get` of the share counts as a view, and each `get` of data counts as a query. A failed write
 * is logged, and its counts are written with the next write. Pending counts are lost if the host crashes.
 */
export function openVisits({
  catalog,
  log,
}: {
  readonly catalog: Pick<Catalog, "transactions">;
  readonly log: Log;
}): Visits {
  let pending = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const add = (id: string, { viewCount, queryCount, lastViewedAt }: Count) => {
    const present = pending.get(id) ?? { viewCount: 0, queryCount: 0, lastViewedAt: null };
    present.viewCount += viewCount;
    present.queryCount += queryCount;
    present.lastViewedAt = lastViewedAt ?? present.lastViewedAt;
    pending.set(id, present);
  };
  const write = async () => {
    timer = undefined;
    const batch = pending;
    pending = new Map();
    if (batch.size === 0) return;
    const counts = [...batch.values()];
    const columns = [
      [...batch.keys()],
      counts.map(({ viewCount }) => viewCount),
      counts.map(({ queryCount }) => queryCount),
    ];
    try {
      await catalog.transactions.transaction(async (transaction) => {
        const viewed = counts.map(({ lastViewedAt }) => lastViewedAt);
        await transaction.raw(totals, [...columns, arrayBinding(viewed)]);
        await transaction.raw(days, columns);
      });
    } catch (failure) {
      for (const [id, count] of batch) add(id, count);
      log.warn({ err: failure, count: batch.size }, "the visits of shares could not be written");
    }
  };
  const visit = (id: string, count: Count) => {
    add(id, count);
    if (pending.size >= waitingCount) clearTimeout(timer);
    else if (timer) return;
    timer = setTimeout(
      () => {
        writing = writing.then(write);
      },
      pending.size >= waitingCount ? 0 : collectMs,
    ).unref();
  };
  const counted: Readonly<Record<string, () => Count>> = {
    share: () => ({ viewCount: 1, queryCount: 0, lastViewedAt: new Date().toISOString() }),
    data: () => ({ viewCount: 0, queryCount: 1, lastViewedAt: null }),
  };

  return {
    counting(resource, handlers) {
      const count = Object.hasOwn(counted, resource) ? counted[resource] : undefined;
      const { get } = handlers;
      if (!count || !get) return handlers;
      const counting: Handler = async (call) => {
        const answer = await get(call);
        const { authorizationType, authorizationId } = call.principal;
        if (authorizationType === "share") visit(authorizationId, count());
        return answer;
      };
      return { ...handlers, get: counting };
    },
    async close() {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
