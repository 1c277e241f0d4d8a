import type { Cell, Query } from "../protocol/index.ts";

/**
 * The outcome for a claim. `proved`: all answers were the protocol's, and every known deviation would have given
 * another one. `unproved`: no wrong answer, but some deviation fits the rows too. `wrong`: at least one answer is not
 * the protocol's. `possible`: not claimed, and answered right. `refused`: not claimed, and refused as it must be.
 * `not asked`: the kit has no queries for it, or was not given what it needs.
 */
export type Verdict = "proved" | "unproved" | "wrong" | "possible" | "refused" | "not asked";

/** The HTTP request that a finding is about. Neither secret nor credentials are in it. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** A wrong answer, with the smallest query that still gets one. */
export interface Finding {
  /** The act of the plugin, such as "starts weeks on Sunday". */
  readonly does: string;
  /** Absent for what is no answer to a query. */
  readonly query?: Query;
  /** The request as it was sent, where it is known. */
  readonly request?: SentRequest;
  /** The first rows of both answers. Absent where the plugin refused. */
  readonly expected?: readonly (readonly Cell[])[];
  readonly answered?: readonly (readonly Cell[])[];
}

export interface ClaimReport {
  /** The path of the claim in the capabilities, such as `filters.operators.like.hierarchy`, or `wire.errors`. */
  readonly claim: string;
  readonly verdict: Verdict;
  readonly queryCount: number;
  /** Queries that the plugin declined with PLUGIN_NOT_OFFERED, as it may for single values; absent for none. */
  readonly declinedCount?: number;
  readonly findings: readonly Finding[];
  /** Deviations that give the same answers over these rows. */
  readonly undistinguished: readonly string[];
}

/** The outcome of a check. */
export interface CheckReport {
  /** ISO instant at which the check ended. */
  readonly checkedAt: string;
  /** The same seed asks the same queries. */
  readonly seed: number;
  /** Queries of all claims together, as they were asked. */
  readonly queryCount: number;
  /** Rows of each dataset that was checked, by its id. */
  readonly rowCounts: Readonly<Record<string, number>>;
  readonly claims: readonly ClaimReport[];
  /** Wrong answers outside of the claims. */
  readonly findings: readonly Finding[];
  /** Facts of the check for people, such as datasets that were too large for it. */
  readonly notes: readonly string[];
  /** Whether nothing wrong was found. */
  readonly isPassed: boolean;
}

/** All findings of a report: those outside of the claims first. */
export function findingsOf({ findings, claims }: CheckReport): readonly Finding[] {
  return [...findings, ...claims.flatMap((claim) => claim.findings)];
}
