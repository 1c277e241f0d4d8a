import type { SealedBatchColumn } from "./sealedBatchColumn.ts";

/** Columns of equal length in the form that a log stores. */
export interface SealedBatch {
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly column: SealedBatchColumn }[];
}
