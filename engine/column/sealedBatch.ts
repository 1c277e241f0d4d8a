import type { SealedBatchColumn } from "./sealedBatchColumn.ts";

/** Equal-length columns in the form in which a log keeps them. */
export interface SealedBatch {
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly column: SealedBatchColumn }[];
}
