import { oneOf } from "./schemas.ts";

/** The logical types on the wire. Text is called `hierarchy`. */
export const dataTypes = ["numeric", "datetime", "hierarchy"] as const;
export type DataType = (typeof dataTypes)[number];
export const DataType = oneOf(dataTypes);

/** Returns whether a name is one of the logical types. */
export function isDataType(name: unknown): name is DataType {
  return dataTypes.some((type) => type === name);
}

/** Returns the logical type of that name; `hierarchy` for any other name, since every value can be shown as text. */
export function dataTypeOf(name: unknown): DataType {
  return isDataType(name) ? name : "hierarchy";
}
