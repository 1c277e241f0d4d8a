import { EngineError } from "../../errors.ts";
import type { TimeSlices } from "../../fair/index.ts";
import { noTenant } from "../../pool/noTenant.ts";
import type { QueryOptions } from "../../types.ts";

/**
 * Runs work of a query in time slices of its tenant and resolves to its result.
 * @throws {EngineError} QUERY_CANCELLED if the signal is aborted
 * @throws the errors of a step
 */
export async function runInSlices<Result>(
  steps: Generator<undefined, Result>,
  slices: TimeSlices,
  { signal, tenant = noTenant }: QueryOptions,
): Promise<Result> {
  try {
    return await slices.run(tenant, steps, signal);
  } catch (cause) {
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED", [], { cause });
    throw cause;
  }
}
