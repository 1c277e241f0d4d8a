import type { Batch } from "../../../plugins/protocol/index.ts";
import type { Explanation } from "./explain.ts";
import type { LabelledTexts } from "./answerCell.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** Milliseconds per phase of a query, and the rows of its answer. */
export interface QueryPerformance {
  readonly validating: number;
  readonly preparing: number;
  readonly queuing: number;
  readonly querying: number;
  readonly processing: number;
  readonly rows: number;
}

/** One query, answered and not yet presented. */
export interface AnsweredQuery {
  readonly parsed: ParsedQuery;
  /** Names, types and the order of cells of the answer: `cells` are indexes into the columns of `batch`. */
  readonly secured: SecuredQuery;
  /** The columns of `secured.query`, then its formulas. It may be shared with other calls. */
  readonly batch: Batch;
  /** Per cell of a row the texts that have a label; absent when none has. */
  readonly labels?: readonly (LabelledTexts | undefined)[];
  readonly cached: boolean;
  /** Presenting not included. */
  readonly performance: QueryPerformance;
  /** Where it was asked for. */
  readonly explain?: Explanation;
}
