import type { Knex } from "knex";
import type { QueueDepth } from "./queue/openQueue.ts";

/** The state of the scheduled work of all hosts that share a catalog. */
export interface ObservedJobs {
  readonly queues: readonly QueueDepth[];
  /**
   * Number and lateness of the evaluations that completed in the last `observedMinutes`. Lateness is null if there were
   * none.
   */
  readonly evaluations: {
    readonly count: number;
    readonly medianLatenessMs: number | null;
    readonly p99LatenessMs: number | null;
  };
  /**
   * Number of deliveries by outcome: those that are waiting, and those that were completed in the last
   * `observedMinutes`.
   */
  readonly deliveries: Readonly<Record<string, number>>;
}

/** Number of past minutes whose evaluations and deliveries are counted. */
export const observedMinutes = 5;

/** Maximum age in days of slots that count as late. Older slots are evaluated afterwards on purpose. */
const latestDays = 2;

const latenessStatement = `
  select count(*)::int as count,
         percentile_cont(array[0.5, 0.99]) within group (
           order by extract(epoch from completed_at - slot_at) * 1000) as lateness
    from alertevent where completed_at > now() - make_interval(mins => ?)
                      and slot_at > now() - make_interval(days => ${latestDays})`;

const deliveriesStatement = `
  select outcome, count(*)::int as count
    from (select outcome from delivery where outcome = 'waiting'
          union all
          select outcome from delivery where completed_at > now() - make_interval(mins => ?)) d
   group by outcome`;

/** Counts the work of the last minutes with three statements that read indexes. */
export async function observeJobs(
  knex: Knex,
  depths: () => Promise<readonly QueueDepth[]>,
): Promise<ObservedJobs> {
  const [queues, late, sent] = await Promise.all([
    depths(),
    knex.raw<{ rows: { count: number; lateness: number[] | null }[] }>(latenessStatement, [
      observedMinutes,
    ]),
    knex.raw<{ rows: { outcome: string; count: number }[] }>(deliveriesStatement, [
      observedMinutes,
    ]),
  ]);
  const [{ count, lateness } = { count: 0, lateness: null }] = late.rows;
  const rounded = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));
  return {
    queues,
    evaluations: {
      count,
      medianLatenessMs: rounded(lateness?.[0]),
      p99LatenessMs: rounded(lateness?.[1]),
    },
    deliveries: Object.fromEntries(sent.rows.map((row) => [row.outcome, row.count])),
  };
}
