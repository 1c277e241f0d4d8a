import type { Batch } from "../../../plugins/protocol/index.ts";
import type { QueryPlan, JoinedPlan } from "../queryPlan.ts";

export interface RunAnswer {
  /** The columns of the query in order, then its formulas. */
  readonly batch: Batch;
  readonly plan: QueryPlan | JoinedPlan;
  /** What the answer leaves out, as sentences for the caller. Absent or empty if it leaves out nothing. */
  readonly warnings?: readonly string[];
}
