import { oneOf } from "./schemas.ts";

/** The logical types on the wire. The type of text is called `hierarchy`. */
export const dataTypes = ["numeric", "datetime", "hierarchy"] as const;
/** A logical type: `numeric` for numbers, `datetime` for instants and dates, `hierarchy` for text. */
export type DataType = (typeof dataTypes)[number];
export const DataType = oneOf(dataTypes);

/** Returns whether a value is the name of a logical type. */
export function isDataType(name: unknown): name is DataType {
  return dataTypes.some((type) => type === name);
}

/**
 * Returns the logical type with the given name. Returns `hierarchy` for any other name, because every value can be
 * shown as text.
 */
export function dataTypeOf(name: unknown): DataType {
  return isDataType(name) ? name : "hierarchy";
}
