import { words } from "./words.ts";

/** The type of a column as the settings of files name it. */
export type ColumnType = keyof typeof words.types;

/** The types that the reader can choose. */
export const columnTypes: readonly ColumnType[] = [
  "text",
  "number",
  "date",
  "datetime",
  "duration",
  "boolean",
];

/** Returns the type of a column as the settings of files name it. */
export function columnTypeOf(type: string, subtype: string | null): ColumnType {
  if (type === "numeric") return subtype === "duration" ? "duration" : "number";
  if (type === "datetime") return subtype === "date" ? "date" : "datetime";
  return "text";
}
