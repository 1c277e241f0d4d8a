import type { Batch } from "../../../plugins/protocol/index.ts";
import type { QueryPlan, JoinedPlan } from "../queryPlan.ts";

export interface RunAnswer {
  /** The columns of the query in order, then its formulas. */
  readonly batch: Batch;
  readonly plan: QueryPlan | JoinedPlan;
}
