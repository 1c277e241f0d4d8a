import { isObject } from "../../base/index.ts";

/** Whatever an organization may have so much of, and the time after which its use is counted anew. */
export const quotaKinds = {
  rows: { span: "stored", what: "rows in the store" },
  bytes: { span: "stored", what: "bytes of pushed values in the store" },
  queries: { span: "at once", what: "queries at once" },
  scanned_rows: { span: "minute", what: "rows read by queries in a minute" },
  pushes: { span: "minute", what: "pushes in a minute" },
  jobs: { span: "day", what: "jobs in a day of UTC" },
  ai_tokens: { span: "day", what: "tokens of the assistant in a day of UTC" },
} as const;
export type QuotaName = keyof typeof quotaKinds;

/** The limits on one thing. */
export interface Limit {
  /** Above it callers are warned. */
  readonly soft: number;
  /** Above it callers are refused. */
  readonly hard: number;
}

/** The limits of an organization; there is none on a name that is absent. */
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

/** The part of a hard limit at which callers are warned when the operator names no soft one. */
const softShare = 0.8;
const most = Number.MAX_SAFE_INTEGER;

export const isQuotaName = (name: unknown): name is QuotaName =>
  quotaNames.some((each) => each === name);

/**
 * Reads limits as an operator writes them: `rows=1000000 queries=8/10`, with commas or spaces between them. One number
 * is the hard limit, and its soft limit is 80 %; `soft/hard` names both.
 * @throws {Error} that names the part, and the names that there are
 */
export function parseLimits(text: string): Limits {
  const limits: Partial<Record<QuotaName, Limit>> = {};
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name, first, second] = /^([a-z_]+)=(\d+)(?:\/(\d+))?$/.exec(part) ?? [];
    if (!isQuotaName(name) || first === undefined)
      throw new Error(
        `must be name=hard or name=soft/hard with whole numbers, such as rows=1000000 queries=8/10, not ${JSON.stringify(part)}; the names are ${quotaNames.join(", ")}`,
      );
    if (limits[name]) throw new Error(`names ${name} twice`);
    const hard = Number(second ?? first);
    const soft = second === undefined ? Math.floor(hard * softShare) : Number(first);
    if (hard > most || soft > hard)
      throw new Error(
        `has ${part}: the soft limit is at most the hard one, and that at most ${most}`,
      );
    limits[name] = { soft, hard };
  }
  return limits;
}

/** Returns limits that came as JSON, or undefined when they are none. */
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
