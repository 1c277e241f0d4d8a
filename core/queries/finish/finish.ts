import type { Caller, Connection } from "../../base/index.ts";
import type { Batch } from "../../../plugins/protocol/index.ts";
import type { Residual } from "../queryPlan.ts";
import { openLoading, type Loading } from "./openLoading.ts";

/**
 * Computes the residual of a query. Loads the plugin's answer into a temporary dataset of the scratch plugin, and runs
 * the residual query on that dataset. `loading` contains the rows that arrived before the answer was complete. The
 * dataset is dropped even after an error or an abort.
 * @throws {PluginError} of the scratch plugin
 */
export async function finish(
  residual: Residual,
  answer: Batch,
  scratch: Connection,
  caller: Caller,
  loading: Loading = openLoading(residual, scratch, caller),
): Promise<Batch> {
  try {
    const temporary = await loading.end(answer);
    return await scratch.query({ ...residual.query, id: temporary.id }, temporary, caller);
  } finally {
    await loading.drop();
  }
}
