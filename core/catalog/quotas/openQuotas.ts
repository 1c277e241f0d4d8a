import type { Knex } from "knex";
import { nobody, type Records } from "../../base/index.ts";
import type { CatalogMemory } from "../catalogMemory.ts";
import type { Log } from "../log.ts";
import type { NoteQuota } from "./noteQuota.ts";
import { createMeter, type MeteredName, type MeterOptions } from "./createMeter.ts";
import { openPermits, type PermitsOptions } from "./openPermits.ts";
import { isQuotaName, type Limits, quotaKinds, type QuotaName, quotaNames } from "./quotaLimits.ts";
import { recordSize, sizeOf } from "./recordSize.ts";
import { countStored, refuseStored, type Stored } from "./refuseStored.ts";

/** The limits of one quota of an organization, and its current usage. A limit that is not set is null. */
export interface QuotaState {
  readonly name: QuotaName;
  readonly what: string;
  readonly soft: number | null;
  readonly hard: number | null;
  readonly used: number;
  /** Time at which the usage resets; null for stored amounts and concurrent queries. */
  readonly resets_at: string | null;
}

/** The quotas of organizations, counted over all hosts of a catalog. */
export interface Quotas {
  /**
   * Returns the limits of an organization. For a quota without a limit of its own, returns the limit in the settings.
   */
  limitsOf(organizationId: string): Promise<Limits>;
  /**
   * Counts an amount toward a quota.
   * @throws {ApiError} QUOTA_REACHED, QUOTA_TOO_SMALL
   */
  spend(organizationId: string, name: MeteredName, amount: number): Promise<void>;
  /**
   * Refuses an amount if this host knows that the quota is used up, without counting the amount.
   * @throws {ApiError} QUOTA_REACHED, QUOTA_TOO_SMALL
   */
  refuseSpent(organizationId: string, name: MeteredName, amount: number): Promise<void>;
  /**
   * Runs a query with a permit of its organization.
   * @throws {ApiError} QUOTA_REACHED
   */
  withPermit<Result>(
    organizationId: string,
    signal: AbortSignal,
    run: () => Promise<Result>,
  ): Promise<Result>;
  /**
   * Refuses rows and bytes that would exceed a limit.
   * @throws {ApiError} QUOTA_FULL
   */
  refuseStored(organizationId: string, added: Stored, transaction: Knex.Transaction): Promise<void>;
  /** Records the size in bytes of a dataset's pushed values, in the transaction that records its rows. */
  readonly recordSize: typeof recordSize;
  readonly sizeOf: typeof sizeOf;
  /**
   * Returns the soft limits that an organization has exceeded, such as `pushes 85/100`; undefined if there are none.
   */
  warningOf(organizationId: string): string | undefined;
  states(organizationId: string): Promise<readonly QuotaState[]>;
  /** Sets limits of an organization. Null restores the limits of the settings. */
  set(
    organizationId: string,
    limits: Readonly<Partial<Record<QuotaName, Limits[QuotaName] | null>>>,
  ): Promise<void>;
  close(): Promise<void>;
}

export interface QuotasOptions
  extends Omit<MeterOptions, "note">, Omit<PermitsOptions, "note" | "log"> {
  readonly records: Pick<Records, "insert">;
  readonly memory: Pick<CatalogMemory, "remember" | "forget">;
  /** The limits of quotas for which an organization has no limit of its own. */
  readonly defaults: Limits;
  readonly log: Pick<Log, "warn" | "error">;
  /** Called for every exceeded limit, even if the log does not repeat it. */
  readonly onPassed?: NoteQuota | undefined;
}

interface LimitRow {
  readonly name: string;
  readonly soft: string;
  readonly hard: string;
}

/** Milliseconds until this host logs an exceeded limit again. */
const quietMs = 3_600_000;
/** Milliseconds for which responses contain the warning after a soft limit was exceeded. */
const warnMs = 60_000;
const mostNoted = 10_000;
const stateBytes = 200;

const ended = `
  select name, used, starts_at from quota_usage where organization_id = ?::uuid
     and starts_at = date_trunc(case when name in ('scanned_rows', 'pushes') then 'minute' else 'day' end,
                                coalesce(?::timestamptz, clock_timestamp()), 'UTC')`;
const tokens = `
  select coalesce(sum(token_count), 0) as used from assistant_usage
   where scope_id = ?::uuid and span = 'day'
     and starts_at = date_trunc('day', coalesce(?::timestamptz, clock_timestamp()), 'UTC')`;

/** Opens the quotas of a host. Calls of an organization without limits need only a lookup in memory. */
export function openQuotas(options: QuotasOptions): Quotas {
  const { knex, records, memory, defaults, log, now } = options;
  const { elapsedMs = () => performance.now() } = options;
  const noted = new Map<string, { readonly text: string; readonly atMs: number }>();
  const writing = new Set<Promise<unknown>>();
  const note: NoteQuota = (passed) => {
    const { organizationId, name, limit, used } = passed;
    options.onPassed?.(passed);
    const key = `${organizationId} ${name} ${limit}`;
    const atMs = elapsedMs();
    const before = noted.get(key);
    noted.set(key, { text: `${name} ${used}`, atMs });
    for (const oldest of noted.keys()) {
      if (noted.size <= mostNoted) break;
      noted.delete(oldest);
    }
    if (before && atMs - before.atMs < quietMs) return;
    log.warn({ organizationId, quota: name, limit, used }, "a quota was exceeded");
    if (organizationId === nobody) return;
    const written = records
      .insert("auditevent", {
        organization_id: organizationId,
        user_id: nobody,
        authorization_id: nobody,
        action: limit === "soft" ? "quota_warn" : "quota_refuse",
        resource: "organization",
        record_id: organizationId,
        members: [name],
      })
      .catch((failure: unknown) =>
        log.error({ err: failure }, "an exceeded quota could not be audited"),
      )
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const meter = createMeter({ ...options, note });
  const permits = openPermits({ ...options, note });

  const ownLimits = async (organizationId: string): Promise<Limits> => {
    const rows: readonly LimitRow[] = await knex("quota")
      .select("name", "soft", "hard")
      .where({ organization_id: organizationId });
    const known = rows.flatMap(({ name, soft, hard }) =>
      isQuotaName(name) ? [[name, { soft: Number(soft), hard: Number(hard) }] as const] : [],
    );
    return { ...defaults, ...Object.fromEntries(known) };
  };
  const limitsOf = (organizationId: string): Promise<Limits> =>
    memory.remember(
      `quotas ${organizationId}`,
      () => ownLimits(organizationId),
      () => stateBytes,
      "structure",
    );
  const atOf = () => (now ? new Date(now()) : null);

  return {
    limitsOf,
    async spend(organizationId, name, amount) {
      const limit = (await limitsOf(organizationId))[name];
      if (!limit) return;
      await meter.spend(organizationId, name, amount, limit);
      const used = meter.seen(organizationId, name);
      if (used > limit.soft) note({ organizationId, name, limit: "soft", used });
    },
    async refuseSpent(organizationId, name, amount) {
      const limit = (await limitsOf(organizationId))[name];
      if (limit) meter.refuseSpent(organizationId, name, amount, limit);
    },
    async withPermit(organizationId, signal, run) {
      const limit = (await limitsOf(organizationId)).queries;
      return limit ? permits.run(organizationId, limit, signal, run) : run();
    },
    async refuseStored(organizationId, added, transaction) {
      const limits = await limitsOf(organizationId);
      if (limits.rows ?? limits.bytes)
        await refuseStored(organizationId, added, { limits, note }, transaction);
    },
    recordSize,
    sizeOf,
    warningOf(organizationId) {
      if (noted.size === 0) return undefined;
      const atMs = elapsedMs();
      const texts = quotaNames.flatMap((name) => {
        const found = noted.get(`${organizationId} ${name} soft`);
        return found && atMs - found.atMs < warnMs ? [found.text] : [];
      });
      return texts.length > 0 ? texts.join(", ") : undefined;
    },
    async states(organizationId) {
      const limits = await limitsOf(organizationId);
      const stored = await countStored(organizationId, knex);
      const { rows: spans }: { rows: { name: string; used: string }[] } = await knex.raw(ended, [
        organizationId,
        atOf(),
      ]);
      const { rows: ai }: { rows: { used: string }[] } = await knex.raw(tokens, [
        organizationId,
        atOf(),
      ]);
      const { rows: held }: { rows: { used: number; now_ms: number }[] } = await knex.raw(
        `select coalesce(sum(place_count), 0)::int as used,
                (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms from quota_place
          where organization_id = ?::uuid and expires_at > clock_timestamp()`,
        [organizationId],
      );
      const used: Readonly<Record<string, number>> = {
        ...Object.fromEntries(spans.map((span) => [span.name, Number(span.used)])),
        ...stored,
        queries: Number(held[0]?.used),
        ai_tokens: Number(ai[0]?.used),
      };
      // Spans follow the catalog's clock, not this host's.
      const nowMs = now ? now() : Math.trunc(Number(held[0]?.now_ms));
      return quotaNames.map((name) => ({
        name,
        what: quotaKinds[name].what,
        soft: limits[name]?.soft ?? null,
        hard: limits[name]?.hard ?? null,
        used: used[name] ?? 0,
        resets_at: resetOf(name, nowMs),
      }));
    },
    async set(organizationId, limits) {
      await knex.transaction(async (transaction) => {
        for (const name of quotaNames) {
          const limit = limits[name];
          if (limit === undefined) continue;
          const key = { organization_id: organizationId, name };
          if (limit === null) await transaction("quota").where(key).delete();
          else
            await transaction("quota")
              .insert({ ...key, ...limit })
              .onConflict(["organization_id", "name"])
              .merge();
        }
      });
      memory.forget();
    },
    async close() {
      await permits.close();
      await Promise.all(writing);
    },
  };
}

const spanMs = { minute: 60_000, day: 86_400_000 };

function resetOf(name: QuotaName, nowMs: number): string | null {
  const { span } = quotaKinds[name];
  if (span !== "minute" && span !== "day") return null;
  return new Date(nowMs - (nowMs % spanMs[span]) + spanMs[span]).toISOString();
}
