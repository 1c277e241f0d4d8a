import type * as engine from "../../engine/index.ts";
import type * as protocol from "../protocol/index.ts";

/** A text column that a thread of the engine has decoded, in the protocol's form. */
export class DecodedHierarchy implements protocol.HierarchyBatchColumn {
  readonly type = "hierarchy";
  readonly codes: Int32Array;
  readonly dictionarySize: protocol.DictionarySize;
  /** The column in the engine's form. */
  readonly decoded: engine.TextBatchColumn;

  constructor(decoded: engine.TextBatchColumn, dictionarySize: protocol.DictionarySize) {
    this.codes = decoded.codes;
    this.dictionarySize = dictionarySize;
    this.decoded = decoded;
  }

  get dictionary(): readonly string[] {
    return this.decoded.dictionary;
  }

  get utf8(): protocol.Utf8Texts | undefined {
    return this.decoded.utf8;
  }
}

/** Converts a decoded column to the protocol's form. Creates no strings. */
export function toDecodedColumn({
  column,
  isDate,
  isEmpty,
  textCount,
  textLength,
}: engine.DecodedColumn): protocol.DecodedColumn {
  const vector: protocol.BatchColumn =
    column.type === "text"
      ? new DecodedHierarchy(column, { textCount, textLength })
      : { type: column.type === "number" ? "numeric" : "datetime", values: column.values };
  return { column: vector, isDate, isEmpty };
}
