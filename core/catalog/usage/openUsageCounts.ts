import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { nobody, type Principal } from "../../base/index.ts";
import type { Log } from "../log.ts";
import { keptMonths, monthOf, monthsBefore, usageKinds, type UsageKind } from "./usageKinds.ts";

/** An act of a caller. */
export interface Act {
  readonly kind: UsageKind;
  /** How often the act happened in this call. @default 1 */
  readonly amount?: number;
  /** The dashboard that was viewed or exported. */
  readonly dashboardId?: string | undefined;
}

/** Counts what callers do, by month, integration, suborganization, dashboard and person. */
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
/** What one person did. */
interface Viewer extends Place {
  readonly viewerId: string;
  readonly amounts: Record<UsageKind, number>;
}
/** Counts that are written in one transaction. A batch that failed is sent again unchanged, with the same id. */
interface Batch {
  readonly id: string;
  readonly counters: readonly Counter[];
  readonly viewers: readonly Viewer[];
}

const batchHours = 48;
const kinds = ["view", "question", "export", "model_call"] as const satisfies readonly UsageKind[];

const isNew = `insert into usage_batch (id) values (?::uuid) on conflict do nothing returning id`;
const places = `unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::uuid[]`;
/** The statements lock rows in the order of their keys, so that hosts cannot deadlock. */
const addCounters = `
  insert into usage_count as u (organization_id, month, integration_id, suborganization, securable_id, kind, amount)
  select t.* from ${places}, ?::text[], ?::bigint[]) as t (o, m, i, s, d, k, a)
    join organization on organization.id = t.o order by t.o, t.m, t.i, t.s, t.d, t.k
  on conflict (organization_id, month, integration_id, suborganization, securable_id, kind) do update
     set amount = u.amount + excluded.amount`;
const amounts = kinds.map((kind) => usageKinds[kind]);
const addViewers = `
  insert into usage_viewer as u
         (organization_id, month, integration_id, suborganization, securable_id, viewer_id, ${amounts.join(", ")})
  select t.* from ${places}, ?::uuid[]${amounts.map(() => ", ?::bigint[]").join("")})
           as t (o, m, i, s, d, v, ${amounts.join(", ")})
    join organization on organization.id = t.o order by t.o, t.m, t.i, t.s, t.d, t.v
  on conflict (organization_id, month, integration_id, suborganization, securable_id, viewer_id) do update
     set ${amounts.map((column) => `${column} = u.${column} + excluded.${column}`).join(", ")}`;

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
  /** The batch that is not written yet. Further counts wait until it is, so that each is kept once. */
  let unwritten: Batch | undefined;
  let removedBefore = "";
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> = Promise.resolve(true);

  const pendingCount = () =>
    counters.size +
    viewers.size +
    (unwritten ? unwritten.counters.length + unwritten.viewers.length : 0);
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
          ...kinds.map((kind) => batch.viewers.map((viewer) => viewer.amounts[kind])),
        ]);
    });
  /** Returns the batch that is to be written; undefined if nothing waits. */
  const nextBatch = (): Batch | undefined => {
    if (!unwritten && counters.size > 0) {
      unwritten = {
        id: randomUUID(),
        counters: [...counters.values()],
        viewers: [...viewers.values()],
      };
      counters = new Map();
      viewers = new Map();
    }
    return unwritten;
  };
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
    try {
      for (let batch = nextBatch(); batch; batch = nextBatch()) {
        await writeBatch(batch);
        unwritten = undefined;
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
      const key = `${keyOf(place)} ${principal.userId}`;
      const viewer = viewers.get(key) ?? {
        ...place,
        viewerId: principal.userId,
        amounts: { view: 0, question: 0, export: 0, model_call: 0 },
      };
      viewer.amounts[kind] += amount;
      viewers.set(key, viewer);
    },
    async flush() {
      await flush();
    },
    async close() {
      clearTimeout(timer);
      if (await flush()) return;
      const lostCount = [...(unwritten?.counters ?? []), ...counters.values()].reduce(
        (sum, { amount }) => sum + amount,
        0,
      );
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
