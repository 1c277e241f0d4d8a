import { DataType } from "apache-arrow";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";

/** Returns the store's type for an Arrow type; undefined if the store does not support the type. */
export function arrowType(type: DataType): EncodedBatchColumn["type"] | undefined {
  if (DataType.isDictionary(type)) return arrowType(type.dictionary);
  if (
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isDecimal(type) ||
    DataType.isBool(type)
  )
    return "number";
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return "datetime";
  if (
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isUtf8View(type) ||
    DataType.isNull(type)
  )
    return "text";
  return undefined;
}

/** Returns whether values of a type are strings without a dictionary. */
export function isArrowText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}
