import { failureOf, type Failure } from "../failureOf.ts";
import { encodeColumns } from "./encodeColumns.ts";
import type { SealAnswer, SealColumnsTask } from "./messages.ts";
import { sealBatch } from "./seal/sealBatch.ts";

/**
 * Runs a worker's task of an append: checks the columns of a batch and seals them. Returns failures, because thrown
 * errors lose their code between threads.
 */
export function runSealColumns(task: SealColumnsTask): SealAnswer | Failure {
  try {
    return { ok: true, sealed: sealBatch(encodeColumns(task), task.openRowCount, task.buffer) };
  } catch (error) {
    return failureOf(error);
  }
}
