import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import type { Log } from "../log.ts";
import { ApiError } from "../../base/index.ts";
import type { NoteQuota } from "./noteQuota.ts";
import { type Limit, quotaKinds } from "./quotaLimits.ts";

/** Permits for concurrent queries of organizations, over all hosts. */
export interface Places {
  /**
   * Runs a query with a permit of its organization. Queries wait for a permit in the order of their calls, and never
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

export interface PlacesOptions {
  readonly knex: Knex;
  readonly note: NoteQuota;
  readonly log: Pick<Log, "warn">;
  /** Monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
  /** Calls a function after a number of milliseconds. Returns a function that cancels this. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** Milliseconds for which permits belong to a host that no longer renews them. */
const leaseMs = 30_000;
const renewMs = 2_000;
/** Milliseconds until the host tries again to get permits that other hosts held. */
const againMs = 250;
const mostWaitMs = 10_000;
/** Maximum number of waiting queries per permit. */
const waitersForPlace = 20;

/** The permits of one organization on this host. */
interface Room {
  limit: Limit;
  held: number;
  validUntilMs: number;
  /** Whether the last attempt got fewer permits than needed. */
  isScarce: boolean;
  used: number;
  /** The most permits used at the same time since the last renewal. */
  peak: number;
  readonly waiting: Set<() => void>;
  asking: Promise<void> | undefined;
  cancelAgain: (() => void) | undefined;
}

interface OtherHosts {
  readonly places: number;
  readonly hosts: number;
  /** Hosts that need a permit and have none. */
  readonly without: number;
}

/** Hosts take permits one after another, so that reading the sum and acting on it is one step. */
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
 * Opens the permits of a host. The host holds as many as it needs, under a lease in the catalog that it renews every
 * two seconds, and releases unused ones. Permits of a dead host become free after half a minute. A query with a held
 * permit needs no statement.
 */
export function openPlaces(options: PlacesOptions): Places {
  const { knex, note, log, elapsedMs = () => performance.now(), later = startTimer } = options;
  const hostId = randomUUID();
  const rooms = new Map<string, Room>();
  let isClosed = false;

  const roomOf = (organizationId: string, limit: Limit): Room => {
    const known = rooms.get(organizationId);
    if (known) {
      known.limit = limit;
      return known;
    }
    const room: Room = {
      limit,
      held: 0,
      validUntilMs: -Infinity,
      isScarce: false,
      used: 0,
      peak: 0,
      waiting: new Set(),
      asking: undefined,
      cancelAgain: undefined,
    };
    rooms.set(organizationId, room);
    return room;
  };
  const heldIn = (room: Room): number =>
    elapsedMs() < room.validUntilMs ? Math.min(room.held, room.limit.hard) : 0;

  const fill = (room: Room): void => {
    for (const begin of room.waiting) {
      if (room.used >= heldIn(room)) return;
      begin();
    }
  };
  /** Takes `wanted` permits, or as many as other hosts leave. A host without any gets its fair part. */
  const take = async (organizationId: string, room: Room, wanted: number): Promise<void> => {
    const askedAtMs = elapsedMs();
    room.held = await knex.transaction(async (transaction) => {
      await transaction.raw(lock, [organizationId]);
      const { rows }: { rows: OtherHosts[] } = await transaction.raw(others, [
        organizationId,
        hostId,
      ]);
      const { places = 0, hosts = 0, without = 0 } = rows[0] ?? {};
      const { hard } = room.limit;
      const part = without > 0 ? Math.ceil(hard / (hosts + 1)) : hard;
      const held = Math.max(0, Math.min(hard - places, wanted, part));
      // Running queries keep their permits until they end.
      const count = Math.max(room.used, held);
      const bindings = { organization: organizationId, host: hostId, count, lease: leaseMs };
      await transaction.raw(hold, bindings);
      return held;
    });
    room.validUntilMs = askedAtMs + leaseMs;
    room.isScarce = room.held < wanted;
  };
  /** Runs one operation at a time on the permits of an organization. Then waiting queries may start. */
  const work = (organizationId: string, room: Room, run: () => Promise<unknown>): Promise<void> =>
    (room.asking = run()
      .catch((failure: unknown) => {
        room.isScarce = true;
        log.warn({ err: failure }, "permits for queries are waiting for the catalog");
      })
      .then(() => {
        room.asking = undefined;
        fill(room);
        if (room.waiting.size === 0 || isClosed) return;
        if (!room.isScarce) return ask(organizationId, room);
        room.cancelAgain ??= later(() => {
          room.cancelAgain = undefined;
          ask(organizationId, room);
        }, againMs);
      }));
  const ask = (organizationId: string, room: Room): void => {
    if (room.asking || room.cancelAgain || isClosed || room.waiting.size === 0) return;
    const { hard, soft } = room.limit;
    if (room.used < heldIn(room) || room.used >= hard) return;
    const wanted = Math.min(hard, room.used + room.waiting.size);
    void work(organizationId, room, async () => {
      await take(organizationId, room, wanted);
      if (room.held > soft)
        note({ organizationId, name: "queries", limit: "soft", used: room.held });
    });
  };
  const refuse = (organizationId: string, room: Room): ApiError => {
    const { hard } = room.limit;
    note({ organizationId, name: "queries", limit: "hard", used: hard });
    // Nothing will ever be free, so waiting is pointless.
    if (hard === 0) return new ApiError("QUOTA_TOO_SMALL", [`1 concurrent query`, 0, "queries"]);
    return new ApiError(
      "QUOTA_REACHED",
      [quotaKinds.queries.what, hard, hard, "a query can start when one of them ends", "queries"],
      { retryAfterS: 1 },
    );
  };
  const begin = (organizationId: string, room: Room, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (room.waiting.size === 0 && room.used < heldIn(room)) {
        room.used++;
        return resolve();
      }
      if (room.waiting.size >= room.limit.hard * waitersForPlace)
        return reject(refuse(organizationId, room));
      const leave = () => {
        room.waiting.delete(enter);
        signal.removeEventListener("abort", abort);
        cancel();
      };
      const enter = () => {
        leave();
        room.used++;
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const cancel = later(() => {
        leave();
        reject(refuse(organizationId, room));
      }, mostWaitMs);
      signal.addEventListener("abort", abort, { once: true });
      room.waiting.add(enter);
      ask(organizationId, room);
    });
  const renew = async (): Promise<void> => {
    for (const [organizationId, room] of rooms) {
      const { peak, asking } = room;
      if (asking) continue;
      room.peak = room.used;
      if (peak > 0 || room.waiting.size > 0) {
        const wanted = Math.max(peak, room.used + room.waiting.size);
        await work(organizationId, room, () => take(organizationId, room, wanted));
        continue;
      }
      room.held = 0;
      await work(organizationId, room, () =>
        knex("quota_place").where({ organization_id: organizationId, host_id: hostId }).delete(),
      );
      if (room.used === 0 && room.waiting.size === 0) rooms.delete(organizationId);
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
      const room = roomOf(organizationId, limit);
      await begin(organizationId, room, signal);
      room.peak = Math.max(room.peak, room.used);
      try {
        return await run();
      } finally {
        room.used--;
        fill(room);
        ask(organizationId, room);
      }
    },
    seen: (organizationId) => rooms.get(organizationId)?.used ?? 0,
    async close() {
      isClosed = true;
      cancelRenewal();
      for (const room of rooms.values()) room.cancelAgain?.();
      await renewing;
      await Promise.all([...rooms.values()].map(({ asking }) => asking));
      await knex("quota_place").where({ host_id: hostId }).delete();
    },
  };
}
