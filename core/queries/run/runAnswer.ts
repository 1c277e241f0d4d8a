import type { Batch } from "../../../plugins/protocol/index.ts";
import type { QueryPlan, JoinedPlan } from "../queryPlan.ts";

/** The columns of `secured.query`, in their order, and the milliseconds that planning, plugin and residual took. */
export interface RunAnswer {
  readonly batch: Batch;
  readonly plan: QueryPlan | JoinedPlan;
  readonly preparingMs: number;
  readonly queryingMs: number;
  readonly processingMs: number;
}
