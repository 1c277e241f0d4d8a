import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { type Limit, quotaKinds } from "./quotaLimits.ts";
import type { NoteQuota } from "./noteQuota.ts";

/** Quotas whose usage is counted per span of time. */
export type MeteredName = "scanned_rows" | "pushes" | "jobs";

/** Counts the usage of organizations per minute or day, over all hosts. */
export interface Meter {
  /**
   * Adds an amount to the usage in the current span.
   * @throws {ApiError} QUOTA_REACHED with Retry-After; QUOTA_TOO_SMALL if the limit is less than the amount
   */
  spend(organizationId: string, name: MeteredName, amount: number, limit: Limit): Promise<void>;
  /**
   * Refuses an amount if this host knows that it would be refused, so that a call can fail before it does costly work.
   * Counts nothing, and reads nothing from the catalog.
   * @throws {ApiError} QUOTA_REACHED with Retry-After; QUOTA_TOO_SMALL if the limit is less than the amount
   */
  refuseSpent(organizationId: string, name: MeteredName, amount: number, limit: Limit): void;
  /** Returns the usage in the current span, as far as this host knows it. */
  seen(organizationId: string, name: MeteredName): number;
}

export interface MeterOptions {
  readonly knex: Knex;
  readonly note: NoteQuota;
  /**
   * For tests: the clock that determines spans, in milliseconds since 1970.
   * @default the database's clock
   */
  readonly now?: () => number;
  /** Monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
}

/** The share of a limit that a host reserves at a time, so that most calls need no SQL statement. */
const share = 1 / 20;
/**
 * Maximum number of cached counters. The least recently used counter is dropped first, together with the amount that
 * the host has reserved.
 */
const mostKept = 10_000;

/** A span, as this host knows it, and the amount that the host has reserved. */
interface Span {
  readonly hard: number;
  readonly endsAtMs: number;
  left: number;
  used: number;
  /** The smallest amount that was refused. Usage only grows, so this amount is refused until the span ends. */
  refused: number;
}

/** Reserves an amount for a host in one statement, so that all hosts together never exceed the limit. */
const take = `
  insert into quota_usage as u (organization_id, name, starts_at, used, granted)
  select :organization::uuid, :name, date_trunc(:span, c.at, 'UTC'), least(:chunk::bigint, :hard::bigint),
         least(:chunk::bigint, :hard::bigint)
    from (select coalesce(:at::timestamptz, clock_timestamp()) as at) c
  on conflict (organization_id, name, starts_at) do update
     set used = least(:hard::bigint, u.used + :chunk::bigint),
         granted = least(:hard::bigint, u.used + :chunk::bigint) - u.used
   where u.used + :need::bigint <= :hard::bigint
  returning used, granted`;

const read = `
  select c.left_ms, coalesce(u.used, 0) as used
    from (select s.starts_at,
                 (extract(epoch from s.starts_at + ('1 ' || :span)::interval - s.at) * 1000)::float8 as left_ms
            from (select at, date_trunc(:span, at, 'UTC') as starts_at
                    from (select coalesce(:at::timestamptz, clock_timestamp()) as at) t) s) c
    left join quota_usage u
      on u.organization_id = :organization::uuid and u.name = :name and u.starts_at = c.starts_at`;

const forget = `
  delete from quota_usage
   where organization_id = :organization::uuid and name = :name
     and starts_at < date_trunc(:span, coalesce(:at::timestamptz, clock_timestamp()), 'UTC')`;

/**
 * Creates the meter of a host. The host reserves a twentieth of a limit at a time in the catalog, so the limit applies
 * over all hosts. When the span ends, each host loses the part of its last reservation that it has not used, at most a
 * twentieth of the limit. Spans follow the database's clock, not the clocks of the hosts.
 */
export function createMeter({
  knex,
  note,
  now,
  elapsedMs = () => performance.now(),
}: MeterOptions): Meter {
  const spans = new Map<string, Span>();
  const taking = new Map<string, Promise<void>>();

  const current = (key: string, hard: number): Span | undefined => {
    const span = spans.get(key);
    return span && span.hard === hard && elapsedMs() < span.endsAtMs ? span : undefined;
  };
  const takeShare = async (
    key: string,
    organization: string,
    name: MeteredName,
    need: number,
    limit: Limit,
  ): Promise<void> => {
    const { hard } = limit;
    const span = quotaKinds[name].span;
    const at = now ? new Date(now()) : null;
    const bindings = { organization, name, span, at };
    const known = current(key, hard);
    const chunk = Math.max(need, Math.ceil(hard * share));
    const requestedAtMs = elapsedMs();
    const { rows: taken }: { rows: { used: string; granted: string }[] } = await knex.raw(take, {
      ...bindings,
      chunk,
      need,
      hard,
    });
    const { rows }: { rows: { left_ms: number; used: string }[] } = await knex.raw(read, bindings);
    const endsAtMs = requestedAtMs + Number(rows[0]?.left_ms);
    const [got] = taken;
    const used = Number(got?.used ?? rows[0]?.used);
    const granted = Number(got?.granted ?? 0);
    if (got && used === granted) await knex.raw(forget, bindings);
    if (got && used > limit.soft && used - granted <= limit.soft)
      note({ organizationId: organization, name, limit: "soft", used });
    const refused = got ? (known?.refused ?? Infinity) : Math.min(need, known?.refused ?? Infinity);
    spans.delete(key);
    spans.set(key, { hard, endsAtMs, left: (known?.left ?? 0) + granted, used, refused });
    for (const oldest of spans.keys()) {
      if (spans.size <= mostKept) return;
      spans.delete(oldest);
    }
  };
  const refuseSpent: Meter["refuseSpent"] = (organizationId, name, amount, { hard }) => {
    const { what } = quotaKinds[name];
    if (amount > hard) throw new ApiError("QUOTA_TOO_SMALL", [`${amount} ${what}`, hard, name]);
    const span = current(`${organizationId} ${name}`, hard);
    if (!span || span.refused > amount - span.left) return;
    note({ organizationId, name, limit: "hard", used: span.used });
    const retryAfterS = Math.max(1, Math.ceil((span.endsAtMs - elapsedMs()) / 1000));
    throw new ApiError(
      "QUOTA_REACHED",
      [what, span.used, hard, `it resets in ${retryAfterS} s`, name],
      { retryAfterS },
    );
  };
  return {
    refuseSpent,
    async spend(organizationId, name, amount, limit) {
      if (amount <= 0) return;
      const key = `${organizationId} ${name}`;
      for (;;) {
        refuseSpent(organizationId, name, amount, limit);
        const span = current(key, limit.hard);
        if (span && span.left >= amount) {
          span.left -= amount;
          return;
        }
        const flight =
          taking.get(key) ??
          takeShare(key, organizationId, name, amount - (span?.left ?? 0), limit).finally(() =>
            taking.delete(key),
          );
        taking.set(key, flight);
        await flight;
      }
    },
    seen: (organizationId, name) => {
      const span = spans.get(`${organizationId} ${name}`);
      return span && elapsedMs() < span.endsAtMs ? span.used - span.left : 0;
    },
  };
}
