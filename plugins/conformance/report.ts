import type { Cell, Query } from "../protocol/index.ts";

/**
 * The outcome for a claim. `proved`: all answers were the protocol's, and every known deviation would have given
 * another one. `unproved`: no wrong answer, but some deviation fits the rows too. `wrong`: at least one answer is not
 * the protocol's. `not asked`: the kit has no questions for it.
 */
export type Verdict = "proved" | "unproved" | "wrong" | "not asked";

/** A wrong answer, with the smallest question that still gets one. */
export interface Finding {
  /** The act of the plugin, such as "starts weeks on Sunday". */
  readonly does: string;
  readonly query: Query;
  /** The first rows of both answers. Absent where the plugin refused. */
  readonly expected: readonly (readonly Cell[])[];
  readonly answered?: readonly (readonly Cell[])[];
}

export interface ClaimReport {
  /** The path of the claim in the capabilities, such as `filters.operators.like.hierarchy`. */
  readonly claim: string;
  readonly verdict: Verdict;
  readonly questionCount: number;
  readonly findings: readonly Finding[];
  /** Deviations that give the same answers over these rows. */
  readonly undistinguished: readonly string[];
}

/** The outcome of a check. */
export interface CheckReport {
  /** The same seed asks the same questions. */
  readonly seed: number;
  readonly questionCount: number;
  readonly claims: readonly ClaimReport[];
  /** Wrong answers outside of the claims. */
  readonly findings: readonly Finding[];
  /** Whether nothing wrong was found. */
  readonly isPassed: boolean;
}
