import { isObject } from "../../base/index.ts";

/** Every quota: the span over which its usage is counted, and its unit in messages. */
export const quotaKinds = {
  rows: { span: "stored", what: "stored rows" },
  bytes: { span: "stored", what: "bytes of stored values" },
  queries: { span: "at once", what: "concurrent queries" },
  scanned_rows: { span: "minute", what: "rows read by queries per minute" },
  pushes: { span: "minute", what: "pushes per minute" },
  jobs: { span: "day", what: "jobs per UTC day" },
  ai_tokens: { span: "day", what: "assistant tokens per UTC day" },
} as const;
export type QuotaName = keyof typeof quotaKinds;

/** The two limits of one quota, in the unit of the quota. */
export interface Limit {
  /** The soft limit. Above this limit, callers get a warning. */
  readonly soft: number;
  /** The hard limit. Above this limit, calls are refused. */
  readonly hard: number;
}

/** The limits of an organization. A quota that is absent is unlimited. */
export type Limits = Readonly<Partial<Record<QuotaName, Limit>>>;

export const quotaNames: readonly QuotaName[] = [
  "rows",
  "bytes",
  "queries",
  "scanned_rows",
  "pushes",
  "jobs",
  "ai_tokens",
];

/** Share of the hard limit from which callers get a warning if the operator sets no soft limit. */
const softShare = 0.8;
const most = Number.MAX_SAFE_INTEGER;

export const isQuotaName = (name: unknown): name is QuotaName =>
  quotaNames.some((each) => each === name);

/**
 * Parses limits as an operator writes them, such as `rows=1000000 queries=8/10`, separated by commas or spaces. A
 * single number is the hard limit, and the soft limit is 80 % of it. `soft/hard` sets both limits.
 * @throws {Error} naming the invalid part and the known quotas
 */
export function parseLimits(text: string): Limits {
  const limits: Partial<Record<QuotaName, Limit>> = {};
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name, first, second] = /^([a-z_]+)=(\d+)(?:\/(\d+))?$/.exec(part) ?? [];
    if (!isQuotaName(name) || first === undefined)
      throw new Error(
        `must be name=hard or name=soft/hard with whole numbers, such as rows=1000000 queries=8/10, not ${JSON.stringify(part)}; the quotas are ${quotaNames.join(", ")}`,
      );
    if (limits[name]) throw new Error(`must name ${name} only once`);
    const hard = Number(second ?? first);
    const soft = second === undefined ? Math.floor(hard * softShare) : Number(first);
    if (hard > most || soft > hard)
      throw new Error(
        `has ${part}, but the soft limit must not exceed the hard limit, and the hard limit must not exceed ${most}`,
      );
    limits[name] = { soft, hard };
  }
  return limits;
}

/** Returns limits from JSON, or undefined if they are invalid. */
export function limitsIn(value: unknown): Limits | undefined {
  if (!isObject(value)) return undefined;
  const limits: Partial<Record<QuotaName, Limit>> = {};
  for (const [name, limit] of Object.entries(value)) {
    if (!isQuotaName(name) || !isObject(limit)) return undefined;
    const { soft, hard } = limit;
    if (!isCount(soft) || !isCount(hard) || soft > hard) return undefined;
    limits[name] = { soft, hard };
  }
  return limits;
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
