import type { BatchColumn } from "../types.ts";
import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";
import type { SealedBatchColumn } from "./sealedBatchColumn.ts";
import { dictionaryEntryBytes, packedTextsBytes } from "./texts/dictionary.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";

/** Rows to append to a column, in plain, encoded or sealed form. */
export type AddedBatchColumn = BatchColumn | EncodedBatchColumn | SealedBatchColumn;

/** Rows of a text column that must wait until the dictionary is loaded. */
export interface WaitingRows {
  /** The rows; undefined if all of them are null. */
  readonly added: AddedBatchColumn | undefined;
  readonly rowCount: number;
}

/** Returns how many bytes of memory strings use before a dictionary contains them. */
export const textBytes = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + dictionaryEntryBytes(text), 0);

/** Returns how many bytes of memory waiting rows use. */
export function waitingBytes({ added }: WaitingRows): number {
  if (added?.type !== "text") return 0;
  if ("dictionary" in added) return added.codes.byteLength + textBytes(added.dictionary);
  const values = "segments" in added ? added.stored : added.codes;
  return values.byteLength + (added.texts ? packedTextsBytes(added.texts) : 0);
}

/** Copies rows that must wait. The caller may reuse its arrays as soon as `append` returns. */
export function copyRows(added: AddedBatchColumn): AddedBatchColumn {
  if ("segments" in added) return copySealed(added);
  if ("texts" in added)
    return { ...added, codes: added.codes.slice(), texts: copyTexts(added.texts) };
  if (added.type !== "text") return { type: added.type, values: added.values.slice() };
  return { type: "text", codes: added.codes.slice(), dictionary: [...added.dictionary] };
}

/**
 * Copies sealed rows out of the shared buffer of their change. Without the copy, this column would keep the whole
 * buffer in memory.
 */
function copySealed({ texts, ...added }: SealedBatchColumn): SealedBatchColumn {
  return {
    ...added,
    stored: added.stored.slice(),
    ...(texts && { texts: copyTexts(texts) }),
  };
}

function copyTexts({ bytes, ends, hashes, hasLoneSurrogates }: PackedTexts): PackedTexts {
  return { bytes: bytes.slice(), ends: ends.slice(), hashes: hashes.slice(), hasLoneSurrogates };
}
