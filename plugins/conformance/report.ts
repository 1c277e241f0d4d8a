import type { Cell, Query } from "../protocol/index.ts";

/**
 * The outcome for a claim.
 *
 * - `proved`: all answers were right, and every known deviation would have given a different answer.
 * - `unproved`: no answer was wrong, but a known deviation would have given the same answers.
 * - `wrong`: at least one answer was wrong.
 * - `possible`: the plugin does not make the claim, but answered its queries correctly.
 * - `refused`: the plugin does not make the claim, and refused its queries as it must.
 * - `not asked`: the kit has no queries for the claim, or lacks data for them.
 */
export type Verdict = "proved" | "unproved" | "wrong" | "possible" | "refused" | "not asked";

/** The HTTP request of a finding, without the secret and the credentials. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  /** Path of the request, relative to the plugin's `base_url`. */
  readonly path: string;
  /** The request body. Absent if there is none, or if it is too long to show. */
  readonly body?: string;
}

/** A wrong answer, with the smallest query that still produces it. */
export interface Finding {
  /** The behavior of the plugin, as a verb phrase such as "starts weeks on Sunday". */
  readonly does: string;
  /** The smallest query that shows the fault. Absent if the finding is not about a query. */
  readonly query?: Query;
  /** The HTTP request as it was sent. Absent if it is not known. */
  readonly request?: SentRequest;
  /** The first rows of the expected answer. Absent if the plugin refused. */
  readonly expected?: readonly (readonly Cell[])[];
  /** The first rows of the plugin's answer. Absent if the plugin refused. */
  readonly answered?: readonly (readonly Cell[])[];
}

/** The result for one claim. */
export interface ClaimReport {
  /**
   * Path of the claim in the capabilities, such as `filters.operators.like.hierarchy`, or the name of a check of the
   * HTTP exchange, such as `wire.errors`.
   */
  readonly claim: string;
  readonly verdict: Verdict;
  /** Number of queries that were sent for the claim. */
  readonly queryCount: number;
  /**
   * Number of queries that the plugin declined with PLUGIN_NOT_OFFERED. It may do so because of single values. Absent
   * if there were none.
   */
  readonly declinedCount?: number;
  readonly findings: readonly Finding[];
  /** Known deviations that would give the same answers over these rows. */
  readonly undistinguished: readonly string[];
}

/** The result of a check. */
export interface CheckReport {
  /** ISO instant at which the check finished. */
  readonly checkedAt: string;
  /** Seed of the random queries. The same seed produces the same queries. */
  readonly seed: number;
  /** Total number of queries that were sent. */
  readonly queryCount: number;
  /** Number of rows of each checked dataset, by dataset id. */
  readonly rowCounts: Readonly<Record<string, number>>;
  /** The results of all claims, in the order of the capabilities. */
  readonly claims: readonly ClaimReport[];
  /** Faults that belong to no claim. */
  readonly findings: readonly Finding[];
  /** Remarks for the reader of the report, for instance about datasets that were too large to check. */
  readonly notes: readonly string[];
  /** Whether the check found no fault. */
  readonly isPassed: boolean;
}

/** Returns all findings of a report. Findings that belong to no claim come first. */
export function findingsOf({ findings, claims }: CheckReport): readonly Finding[] {
  return [...findings, ...claims.flatMap((claim) => claim.findings)];
}
