import type { SealedVector } from "./sealedVector.ts";

/** Equal-length columns in the form in which a log keeps them. */
export interface SealedBatch {
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly vector: SealedVector }[];
}
