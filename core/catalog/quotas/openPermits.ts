import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { Log } from "../log.ts";
import { ApiError } from "../../base/index.ts";
import type { NoteQuota } from "./noteQuota.ts";
import { type Limit, quotaKinds } from "./quotaLimits.ts";

/** Permits for concurrent queries of organizations, over all hosts. */
export interface Permits {
  /**
   * Runs a query with a permit of its organization. Queries wait for a permit in the order of the calls, and never wait
   * for queries of another organization.
   * @throws {ApiError} QUOTA_REACHED after ten seconds, or if too many queries are waiting
   * @throws the signal's reason
   */
  run<Result>(
    organizationId: string,
    limit: Limit,
    signal: AbortSignal,
    run: () => Promise<Result>,
  ): Promise<Result>;
  /** Returns the number of an organization's queries that are running on this host. */
  seen(organizationId: string): number;
  /** Releases all permits. */
  close(): Promise<void>;
}

export interface PermitsOptions {
  readonly knex: Knex;
  readonly note: NoteQuota;
  readonly log: Pick<Log, "warn">;
  /** Monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
  /** Schedules a function to run after the given number of milliseconds. Returns a function that cancels it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** Milliseconds for which permits still belong to a host that does not renew them. */
const leaseMs = 30_000;
const renewMs = 2_000;
/** Milliseconds after which the host tries again to get permits that other hosts hold. */
const againMs = 250;
const mostWaitMs = 10_000;
/** Maximum number of waiting queries per permit. */
const waitersPerPermit = 20;

/** The permits of one organization on this host. */
interface Allocation {
  limit: Limit;
  held: number;
  validUntilMs: number;
  /** Whether the last attempt to take permits got fewer than needed. */
  isScarce: boolean;
  used: number;
  /** The largest number of permits in use at the same time since the last renewal. */
  peak: number;
  readonly waiting: Set<() => void>;
  request: Promise<void> | undefined;
  cancelAgain: (() => void) | undefined;
}

interface OtherHosts {
  readonly places: number;
  readonly hosts: number;
  /** Number of hosts that need a permit and hold none. */
  readonly without: number;
}

/**
 * Lock under which hosts take permits one after another, so that no other host changes the sum between reading and
 * using it.
 */
const lock = "select pg_advisory_xact_lock(hashtextextended('quota_place ' || ?::text, 0))";

const others = `
  select coalesce(sum(place_count), 0)::int as places, count(*)::int as hosts,
         count(*) filter (where place_count = 0)::int as without from quota_place
   where organization_id = ?::uuid and host_id <> ?::uuid and expires_at > clock_timestamp()`;

const hold = `
  insert into quota_place (organization_id, host_id, place_count, expires_at)
  values (:organization::uuid, :host::uuid, :count, clock_timestamp() + :lease * interval '1 millisecond')
  on conflict (organization_id, host_id) do update
     set place_count = excluded.place_count, expires_at = excluded.expires_at`;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}

/**
 * Opens the permits of a host. The host holds as many permits as it needs, under a lease in the catalog that it renews
 * every two seconds, and releases unused ones. The permits of a dead host become free after half a minute. A query
 * needs no statement if the host holds a free permit.
 */
export function openPermits(options: PermitsOptions): Permits {
  const { knex, note, log, elapsedMs = () => performance.now(), later = startTimer } = options;
  const hostId = randomUUID();
  const allocations = new Map<string, Allocation>();
  let isClosed = false;

  const allocationOf = (organizationId: string, limit: Limit): Allocation => {
    const known = allocations.get(organizationId);
    if (known) {
      known.limit = limit;
      return known;
    }
    const allocation: Allocation = {
      limit,
      held: 0,
      validUntilMs: -Infinity,
      isScarce: false,
      used: 0,
      peak: 0,
      waiting: new Set(),
      request: undefined,
      cancelAgain: undefined,
    };
    allocations.set(organizationId, allocation);
    return allocation;
  };
  const heldIn = (allocation: Allocation): number =>
    elapsedMs() < allocation.validUntilMs ? Math.min(allocation.held, allocation.limit.hard) : 0;

  const fill = (allocation: Allocation): void => {
    for (const begin of allocation.waiting) {
      if (allocation.used >= heldIn(allocation)) return;
      begin();
    }
  };
  /** Takes `wanted` permits, or as many as other hosts leave free. A host without any permit gets its fair share. */
  const take = async (
    organizationId: string,
    allocation: Allocation,
    wanted: number,
  ): Promise<void> => {
    const requestedAtMs = elapsedMs();
    allocation.held = await knex.transaction(async (transaction) => {
      await transaction.raw(lock, [organizationId]);
      const { rows }: { rows: OtherHosts[] } = await transaction.raw(others, [
        organizationId,
        hostId,
      ]);
      const { places = 0, hosts = 0, without = 0 } = rows[0] ?? {};
      const { hard } = allocation.limit;
      const part = without > 0 ? Math.ceil(hard / (hosts + 1)) : hard;
      const held = Math.max(0, Math.min(hard - places, wanted, part));
      // Running queries keep their permits until they finish.
      const count = Math.max(allocation.used, held);
      const bindings = { organization: organizationId, host: hostId, count, lease: leaseMs };
      await transaction.raw(hold, bindings);
      return held;
    });
    allocation.validUntilMs = requestedAtMs + leaseMs;
    allocation.isScarce = allocation.held < wanted;
  };
  /** Runs one operation at a time on the permits of an organization. Afterwards, waiting queries may start. */
  const work = (
    organizationId: string,
    allocation: Allocation,
    run: () => Promise<unknown>,
  ): Promise<void> =>
    (allocation.request = run()
      .catch((failure: unknown) => {
        allocation.isScarce = true;
        log.warn({ err: failure }, "permits for queries are waiting for the catalog");
      })
      .then(() => {
        allocation.request = undefined;
        fill(allocation);
        if (allocation.waiting.size === 0 || isClosed) return;
        if (!allocation.isScarce) return requestMore(organizationId, allocation);
        allocation.cancelAgain ??= later(() => {
          allocation.cancelAgain = undefined;
          requestMore(organizationId, allocation);
        }, againMs);
      }));
  const requestMore = (organizationId: string, allocation: Allocation): void => {
    if (allocation.request || allocation.cancelAgain || isClosed || allocation.waiting.size === 0)
      return;
    const { hard, soft } = allocation.limit;
    if (allocation.used < heldIn(allocation) || allocation.used >= hard) return;
    const wanted = Math.min(hard, allocation.used + allocation.waiting.size);
    void work(organizationId, allocation, async () => {
      await take(organizationId, allocation, wanted);
      if (allocation.held > soft)
        note({ organizationId, name: "queries", limit: "soft", used: allocation.held });
    });
  };
  const refuse = (organizationId: string, allocation: Allocation): ApiError => {
    const { hard } = allocation.limit;
    note({ organizationId, name: "queries", limit: "hard", used: hard });
    // No permit will ever become free, so the query does not wait.
    if (hard === 0) return new ApiError("QUOTA_TOO_SMALL", [`1 concurrent query`, 0, "queries"]);
    return new ApiError(
      "QUOTA_REACHED",
      [quotaKinds.queries.what, hard, hard, "a query can start when one of them ends", "queries"],
      { retryAfterS: 1 },
    );
  };
  const begin = (
    organizationId: string,
    allocation: Allocation,
    signal: AbortSignal,
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (allocation.waiting.size === 0 && allocation.used < heldIn(allocation)) {
        allocation.used++;
        return resolve();
      }
      if (allocation.waiting.size >= allocation.limit.hard * waitersPerPermit)
        return reject(refuse(organizationId, allocation));
      const leave = () => {
        allocation.waiting.delete(enter);
        signal.removeEventListener("abort", abort);
        cancel();
      };
      const enter = () => {
        leave();
        allocation.used++;
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const cancel = later(() => {
        leave();
        reject(refuse(organizationId, allocation));
      }, mostWaitMs);
      signal.addEventListener("abort", abort, { once: true });
      allocation.waiting.add(enter);
      requestMore(organizationId, allocation);
    });
  const renew = async (): Promise<void> => {
    for (const [organizationId, allocation] of allocations) {
      const { peak, request } = allocation;
      if (request) continue;
      allocation.peak = allocation.used;
      if (peak > 0 || allocation.waiting.size > 0) {
        const wanted = Math.max(peak, allocation.used + allocation.waiting.size);
        await work(organizationId, allocation, () => take(organizationId, allocation, wanted));
        continue;
      }
      allocation.held = 0;
      await work(organizationId, allocation, () =>
        knex("quota_place").where({ organization_id: organizationId, host_id: hostId }).delete(),
      );
      if (allocation.used === 0 && allocation.waiting.size === 0)
        allocations.delete(organizationId);
    }
  };
  let renewing: Promise<void> = Promise.resolve();
  let cancelRenewal: () => void;
  const renewLater = () => {
    cancelRenewal = later(() => {
      renewing = renew();
      renewLater();
    }, renewMs);
  };
  renewLater();

  return {
    async run(organizationId, limit, signal, run) {
      const allocation = allocationOf(organizationId, limit);
      await begin(organizationId, allocation, signal);
      allocation.peak = Math.max(allocation.peak, allocation.used);
      try {
        return await run();
      } finally {
        allocation.used--;
        fill(allocation);
        requestMore(organizationId, allocation);
      }
    },
    seen: (organizationId) => allocations.get(organizationId)?.used ?? 0,
    async close() {
      isClosed = true;
      cancelRenewal();
      for (const allocation of allocations.values()) allocation.cancelAgain?.();
      await renewing;
      await Promise.all([...allocations.values()].map(({ request }) => request));
      await knex("quota_place").where({ host_id: hostId }).delete();
    },
  };
}
