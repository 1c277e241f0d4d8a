import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { nobody, type Principal } from "../../base/index.ts";
import type { Log } from "../log.ts";
import { keptMonths, monthOf, monthsBefore, type UsageKind } from "./usageKinds.ts";

/** An act of a caller. */
export interface Act {
  readonly kind: UsageKind;
  /** How often the act happened in this call. @default 1 */
  readonly amount?: number;
  /** The dashboard that was viewed or exported. */
  readonly dashboardId?: string | undefined;
}

/** Counts what callers do, by month, integration, suborganization and dashboard. */
export interface UsageCounts {
  /** Counts an act in memory. Never waits and never fails. */
  note(principal: Principal, act: Act): void;
  /** Writes the pending counts. */
  flush(): Promise<void>;
  /** Writes the pending counts. Logs the number of acts that could not be written, which are then lost. */
  close(): Promise<void>;
}

export interface UsageCountsOptions {
  readonly transactions: Knex;
  readonly log: Pick<Log, "warn" | "error">;
  /**
   * Maximum number of counters and viewers that wait to be written. Further acts are counted as lost.
   * @default 50_000
   */
  readonly mostPending?: number;
  /**
   * Milliseconds between an act and the transaction that writes it.
   * @default 2_000
   */
  readonly collectMs?: number;
  /** Clock that decides the month, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/** Where an act is counted. */
interface Place {
  readonly organizationId: string;
  readonly month: string;
  readonly integrationId: string;
  readonly suborganization: string;
  readonly dashboardId: string;
}
interface Counter extends Place {
  readonly kind: UsageKind | "lost";
  amount: number;
}
interface Viewer extends Place {
  readonly viewerId: string;
}
/** Counts that are written in one transaction. A batch that failed is sent again unchanged, with the same id. */
interface Batch {
  readonly id: string;
  readonly counters: readonly Counter[];
  readonly viewers: readonly Viewer[];
}

/** Maximum number of viewers that a host remembers as written. */
const mostKnown = 100_000;
const batchHours = 48;

const isNew = `insert into usage_batch (id) values (?::uuid) on conflict do nothing returning id`;
const places = `unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::uuid[]`;
/** The statements lock rows in the order of their keys, so that hosts cannot deadlock. */
const addCounters = `
  insert into usage_count as u (organization_id, month, integration_id, suborganization, securable_id, kind, amount)
  select t.* from ${places}, ?::text[], ?::bigint[]) as t (o, m, i, s, d, k, a)
    join organization on organization.id = t.o order by t.o, t.m, t.i, t.s, t.d, t.k
  on conflict (organization_id, month, integration_id, suborganization, securable_id, kind) do update
     set amount = u.amount + excluded.amount`;
const addViewers = `
  insert into usage_viewer (organization_id, month, integration_id, suborganization, securable_id, viewer_id)
  select t.* from ${places}, ?::uuid[]) as t (o, m, i, s, d, v)
    join organization on organization.id = t.o order by t.o, t.m, t.i, t.s, t.d, t.v
  on conflict do nothing`;

/**
 * Opens the counts of usage. A call costs two lookups in memory; one transaction writes all counts of `collectMs`. A
 * failed write is logged and repeated, and its batch is counted once even if only the answer was lost. Beyond
 * `mostPending` waiting counts, acts are counted as lost, per organization and month, and the loss is written as well.
 * Acts of up to `collectMs` are lost if the process is killed.
 */
export function openUsageCounts({
  transactions,
  log,
  mostPending = 50_000,
  collectMs = 2_000,
  now = Date.now,
}: UsageCountsOptions): UsageCounts {
  let counters = new Map<string, Counter>();
  let viewers = new Map<string, Viewer>();
  /** Batches that are not written yet, oldest first. `unwrittenSize` is the number of their counts. */
  const unwritten: Batch[] = [];
  const known = new Set<string>();
  let removedBefore = "";
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> = Promise.resolve(true);

  let unwrittenSize = 0;

  const pendingCount = () => counters.size + viewers.size + unwrittenSize;
  const add = (place: Place, kind: Counter["kind"], amount: number): void => {
    const key = `${keyOf(place)} ${kind}`;
    const counter = counters.get(key);
    if (counter) counter.amount += amount;
    else counters.set(key, { ...place, kind, amount });
  };

  /** Writes a batch unless it was already written. */
  const writeBatch = (batch: Batch): Promise<void> =>
    transactions.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: readonly object[] }>(isNew, [batch.id]);
      if (rows.length === 0) return;
      if (batch.counters.length > 0)
        await transaction.raw(addCounters, [
          ...columnsOf(batch.counters),
          batch.counters.map(({ kind }) => kind),
          batch.counters.map(({ amount }) => amount),
        ]);
      if (batch.viewers.length > 0)
        await transaction.raw(addViewers, [
          ...columnsOf(batch.viewers),
          batch.viewers.map(({ viewerId }) => viewerId),
        ]);
    });
  const removeOld = async (): Promise<void> => {
    const oldest = monthsBefore(monthOf(now()), keptMonths - 1);
    if (removedBefore === oldest) return;
    await transactions("usage_count").where("month", "<", oldest).delete();
    await transactions("usage_viewer").where("month", "<", oldest).delete();
    await transactions.raw(
      `delete from usage_batch where created_at < now() - interval '${batchHours} hours'`,
    );
    removedBefore = oldest;
  };
  /** Resolves to whether everything was written. */
  const write = async (): Promise<boolean> => {
    if (counters.size + viewers.size > 0) {
      unwrittenSize = pendingCount();
      unwritten.push({
        id: randomUUID(),
        counters: [...counters.values()],
        viewers: [...viewers.values()],
      });
      counters = new Map();
      viewers = new Map();
    }
    try {
      for (let batch = unwritten[0]; batch; batch = unwritten[0]) {
        await writeBatch(batch);
        unwritten.shift();
        unwrittenSize -= batch.counters.length + batch.viewers.length;
      }
      await removeOld();
      return true;
    } catch (failure) {
      log.warn({ err: failure, count: pendingCount() }, "usage could not be written");
      return false;
    }
  };
  const flush = async (): Promise<boolean> => {
    writing = writing.then(write);
    return writing;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush().then((isWritten) => {
        if (!isWritten) schedule();
      });
    }, collectMs).unref();
  };

  return {
    note(principal, { kind, amount = 1, dashboardId }) {
      const { organizationId, restriction, suborganization } = principal;
      if (organizationId === nobody || amount <= 0) return;
      const month = monthOf(now());
      const place = {
        organizationId,
        month,
        integrationId: restriction?.integrationId ?? nobody,
        suborganization: suborganization ?? "",
        // Ids are compared as text here, and as UUIDs in the catalog.
        dashboardId: dashboardId?.toLowerCase() ?? nobody,
      };
      schedule();
      if (pendingCount() >= mostPending && !counters.has(`${keyOf(place)} ${kind}`)) {
        const none = { integrationId: nobody, suborganization: "", dashboardId: nobody };
        add({ organizationId, month, ...none }, "lost", amount);
        return;
      }
      add(place, kind, amount);
      if (!isViewer(principal)) return;
      const viewer = `${keyOf(place)} ${principal.userId}`;
      if (known.has(viewer)) return;
      const [oldest] = known;
      if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
      known.add(viewer);
      viewers.set(viewer, { ...place, viewerId: principal.userId });
    },
    async flush() {
      await flush();
    },
    async close() {
      clearTimeout(timer);
      if (await flush()) return;
      const lostCount = unwritten
        .flatMap((batch) => batch.counters)
        .reduce((sum, { amount }) => sum + amount, 0);
      log.error({ lostCount }, "acts were lost from the usage, because the catalog did not answer");
    },
  };
}

/**
 * Returns whether a caller is a person. Key pairs of type `api` are programs; visitors of private links have no user.
 */
function isViewer({ authorizationType, userId }: Principal): boolean {
  return authorizationType !== "api" && authorizationType !== "share" && userId !== nobody;
}

function keyOf({ organizationId, month, integrationId, suborganization, dashboardId }: Place) {
  return `${organizationId} ${month} ${integrationId} ${dashboardId} ${JSON.stringify(suborganization)}`;
}

function columnsOf(list: readonly Place[]): string[][] {
  return [
    list.map(({ organizationId }) => organizationId),
    list.map(({ month }) => month),
    list.map(({ integrationId }) => integrationId),
    list.map(({ suborganization }) => suborganization),
    list.map(({ dashboardId }) => dashboardId),
  ];
}
