import type { Batch } from "../../../plugins/protocol/index.ts";
import type { Explanation } from "./explain.ts";
import type { LabelledTexts } from "./answerCell.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** The milliseconds that each phase of a query took, and the number of rows of its answer. */
export interface QueryPerformance {
  readonly validating: number;
  readonly preparing: number;
  readonly queuing: number;
  readonly querying: number;
  readonly processing: number;
  readonly rows: number;
}

/** A query that has run but is not yet presented. */
export interface AnsweredQuery {
  readonly parsed: ParsedQuery;
  /**
   * The secured query, with the names and types of the answer's columns. Its `cells` are indexes into the columns of
   * `batch`.
   */
  readonly secured: SecuredQuery;
  /** The columns of `secured.query`, then its formulas. The batch may be shared with other calls. */
  readonly batch: Batch;
  /** The labeled strings of each cell of a row, by cell. Absent if no cell has labels. */
  readonly labels?: readonly (LabelledTexts | undefined)[];
  /** What the answer leaves out, as sentences for the caller. Absent if it leaves out nothing. */
  readonly warnings?: readonly string[];
  readonly cached: boolean;
  /** The time per phase, without the time for presenting. */
  readonly performance: QueryPerformance;
  /** The explanation of the query, if the caller requested it. */
  readonly explain?: Explanation;
}
