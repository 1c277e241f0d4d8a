import type { BoundOrder, BoundPlan, OrderBuckets, OrderWindow } from "../plan/boundPlan.ts";

/** Number of buckets of one count. Their counters fit in the first-level cache. */
const bucketCount = 4096;
/** Number of rows that are collected and sorted in a few milliseconds. Pages up to this row need no windows. */
const fewRows = 2 ** 15;
/** Number of rows of a table above which counting all rows is worth it. */
const manyRows = 2 ** 17;
/** Maximum number of counts for one plan. */
const mostCounts = 6;

/** Counts the rows of a plan with `counted` by bucket. */
type CountRows = (plan: BoundPlan) => Promise<Float64Array>;

/**
 * Returns whether a plan skips or returns so many rows that it pays to count the rows before they are collected and
 * sorted. Few rows may pass a filter, so a large page at the start of filtered rows does not pay.
 */
export function isDeepPage({
  cells,
  order,
  limit,
  groupLimit,
  rowCount,
  filter,
  deleted,
}: BoundPlan): boolean {
  const [first] = order;
  if (!cells || !first || !limit || groupLimit || !canCount(first)) return false;
  const { offset, count } = limit;
  if (count === 0 || count > rowCount / 4 || rowCount < manyRows) return false;
  return offset > fewRows || (filter === undefined && !deleted && offset + count > fewRows);
}

/**
 * Finds where the page of a plan begins and ends in its order, and returns a plan that only reads the rows near the
 * page. The limit of the new plan counts these rows. Counts rows by the first part of the order, and by finer buckets
 * or the next part as long as too many rows are left. The answer does not depend on the buckets, because all rows of a
 * bucket are in the windows or none.
 */
export async function narrowToPage(plan: BoundPlan, countRows: CountRows): Promise<BoundPlan> {
  let narrowed = plan;
  let buckets = bucketsOf(plan.order, 0);
  for (let count = 0; buckets && count < mostCounts; count++) {
    const counts = await countRows({ ...narrowed, counted: buckets });
    const found = findPage(narrowed, buckets, counts);
    narrowed = found.plan;
    if (found.rowCount <= fewRows + 2 * (plan.limit?.count ?? 0)) break;
    buckets = finerBuckets(narrowed.order, buckets, found);
  }
  return narrowed;
}

function canCount({ bounds, ranks }: BoundOrder): boolean {
  if (ranks) return ranks.length > 0;
  return bounds !== undefined && Number.isFinite(bounds.maximum - bounds.minimum);
}

/** Returns the buckets of a part of the order; undefined if its numbers have no known bounds. */
function bucketsOf(order: readonly BoundOrder[], part: number): OrderBuckets | undefined {
  const { bounds, ranks } = order[part] ?? {};
  if (!order[part] || !canCount(order[part])) return undefined;
  const { minimum, maximum } = bounds ?? { minimum: 1, maximum: ranks?.length ?? 1 };
  return divide(part, minimum, maximum, isWhole(order[part]));
}

function divide(
  part: number,
  low: number,
  high: number,
  areWhole: boolean,
): OrderBuckets | undefined {
  const most = (bucketCount - 2) / (high - low);
  const factor = areWhole ? Math.min(1, most) : most;
  return Number.isFinite(factor) ? { part, low, factor, bucketCount } : undefined;
}

const isWhole = ({ bounds, ranks }: BoundOrder) => ranks !== undefined || bounds?.isWhole === true;

/** The rows that a page needs: the first and the last of their buckets, and their number. */
interface FoundPage {
  readonly plan: BoundPlan;
  readonly first: number;
  readonly last: number;
  readonly rowCount: number;
}

/** Finds the buckets of the page's rows. Nulls, in bucket 0, are last in both directions. */
function findPage(plan: BoundPlan, buckets: OrderBuckets, counts: Float64Array): FoundPage {
  const { offset, count } = plan.limit ?? { offset: 0, count: 0 };
  const { descending } = plan.order[buckets.part];
  const inOrder = Array.from({ length: counts.length - 1 }, (_, index) => index + 1);
  if (descending) inOrder.reverse();
  inOrder.push(0);
  const passes = new Uint8Array(counts.length);
  const found: number[] = [];
  let before = 0;
  let skipped = 0;
  let rowCount = 0;
  for (const bucket of inOrder) {
    const rows = counts[bucket];
    if (rows > 0 && before + rows > offset && before < offset + count) {
      if (found.length === 0) skipped = before;
      passes[bucket] = 1;
      found.push(bucket);
      rowCount += rows;
    }
    before += rows;
  }
  const window: OrderWindow = { ...buckets, passes };
  const limit = found.length === 0 ? { offset: 0, count: 0 } : { offset: offset - skipped, count };
  const windows = [...(plan.windows ?? []), window];
  return {
    plan: { ...plan, windows, limit },
    first: Math.min(...found),
    last: Math.max(...found),
    rowCount,
  };
}

/**
 * Divides the range of the page's buckets into finer buckets. If the page is in a single bucket, all of whose rows are
 * equal, returns the buckets of the next part of the order. Undefined if there are none.
 */
function finerBuckets(
  order: readonly BoundOrder[],
  { part, low, factor }: OrderBuckets,
  { first, last }: FoundPage,
): OrderBuckets | undefined {
  const whole = isWhole(order[part]);
  const areEqual = first === last && (first === 0 || (whole && factor === 1));
  if (areEqual) return bucketsOf(order, part + 1);
  if (first === 0 || (whole && factor === 1)) return undefined;
  const from = low + (first - 1) / factor;
  const to = low + last / factor;
  const isFiner = last - first < bucketCount / 2 && Number.isFinite(to - from);
  return isFiner
    ? divide(part, whole ? Math.floor(from) : from, whole ? Math.ceil(to) : to, whole)
    : undefined;
}
