import type { Cell, Query } from "../protocol/index.ts";

/**
 * The outcome for a claim.
 *
 * - `proved`: all answers were right, and every known deviation would have produced a different answer.
 * - `unproved`: no answer was wrong, but a known deviation would have produced the same answers.
 * - `wrong`: at least one answer was wrong.
 * - `possible`: the plugin does not make the claim, but answered its queries correctly.
 * - `refused`: the plugin does not make the claim, and refused its queries as it must.
 * - `not asked`: the kit has no queries for the claim, or the source lacks the data for such queries.
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

/** A row of the expected answer, paired with a row of the plugin's answer. */
export interface RowPair {
  /** The row of the expected answer. Absent if that answer has no such row. */
  readonly expected?: readonly Cell[];
  /** The row of the plugin's answer. Absent if that answer has no such row. */
  readonly answered?: readonly Cell[];
  readonly isDifferent: boolean;
}

/** The place where an answer first differs from the expected answer. */
export interface Difference {
  /** Number of rows of the expected answer. */
  readonly expectedCount: number;
  /** Number of rows of the plugin's answer. */
  readonly answeredCount: number;
  /** Description of each column of both answers, such as `city` or `sum(km)`. */
  readonly columns: readonly string[];
  /** Number of pairs of rows before the first pair that differs. */
  readonly row: number;
  /** Number of pairs of rows before the first pair in `rows`. */
  readonly firstShown: number;
  /** The first pair that differs, with up to two pairs before it and up to two pairs after it. */
  readonly rows: readonly RowPair[];
  /** Whether the kit sorted both answers before it compared them. It does so if the query sets no order. */
  readonly isSorted: boolean;
}

/** A wrong answer, with the smallest query that still produces it. */
export interface Finding {
  /** The behavior of the plugin, as a verb phrase such as "starts weeks on Sunday". */
  readonly does: string;
  /**
   * True if no known deviation explains the answers. `does` then only describes how the rows differ.
   * @default false
   */
  readonly isUnexplained?: true;
  /** The smallest query that shows the fault. Absent if the finding is not about a query. */
  readonly query?: Query;
  /** The HTTP request as it was sent. Absent if the request is not known. */
  readonly request?: SentRequest;
  /** The first difference between the answers. Absent if the plugin refused, or if the finding is not about rows. */
  readonly difference?: Difference;
  /**
   * The rows of the expected answer around the first difference. If the plugin refused the query, the first rows of the
   * expected answer. Absent if the finding is not about rows.
   */
  readonly expected?: readonly (readonly Cell[])[];
  /** The rows of the plugin's answer around the first difference. Absent if the plugin refused. */
  readonly answered?: readonly (readonly Cell[])[];
}

/** A likely cause of wrong answers, with the claims that it makes wrong. */
export interface Cause {
  /** The behavior of the plugin, as a verb phrase such as "ignores the direction of the order". */
  readonly does: string;
  /** True if no known deviation explains the answers. The findings may then have different causes. */
  readonly isUnexplained: boolean;
  /** Paths of the claims, in the order of the report. Empty for a fault that belongs to no claim. */
  readonly claims: readonly string[];
  /** The finding of each claim, in the same order. The first finding is the example in reports. */
  readonly findings: readonly Finding[];
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
   * Number of queries that the plugin declined with PLUGIN_NOT_OFFERED. A plugin may decline a query because of a value
   * in it. Absent if the plugin declined none.
   */
  readonly declinedCount?: number;
  readonly findings: readonly Finding[];
  /** Known deviations with which a plugin would return the same answers from these rows. */
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

/**
 * Groups the findings of a report by their likely cause. Causes that belong to no claim come first, followed by the
 * causes with the most claims.
 */
export function causesOf({ findings, claims }: CheckReport): readonly Cause[] {
  const found = [
    ...findings.map((finding) => ({ claim: undefined, finding })),
    ...claims.flatMap(({ claim, findings: own }) => own.map((finding) => ({ claim, finding }))),
  ];
  const groups = Map.groupBy(found, ({ claim, finding }) =>
    JSON.stringify([claim === undefined, finding.does]),
  );
  const causes = [...groups.values()].map((members): Cause => {
    const [first] = members;
    const paths = members.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
    return {
      does: first?.finding.does ?? "",
      isUnexplained: first?.finding.isUnexplained === true,
      claims: [...new Set(paths)],
      findings: members.map(({ finding }) => finding),
    };
  });
  const rank = ({ claims: paths }: Cause) => (paths.length === 0 ? -Infinity : -paths.length);
  return causes.toSorted((one, other) => {
    const [left, right] = [rank(one), rank(other)];
    return left === right ? 0 : left - right;
  });
}
