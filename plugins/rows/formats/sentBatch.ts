import type {
  DatetimeBatchColumn,
  HierarchyBatchColumn,
  NumericBatchColumn,
  Utf8Texts,
} from "../../protocol/index.ts";

/** Rows of a file in the form in which processes send them: strings are packed, so that none is created on the way. */
export interface SentBatch {
  readonly rowCount: number;
  readonly columns: readonly SentColumn[];
}

/** The values of one column of sent rows. */
export type SentColumn =
  | NumericBatchColumn
  | DatetimeBatchColumn
  | (Pick<HierarchyBatchColumn, "type" | "codes"> & { readonly utf8: Utf8Texts });
