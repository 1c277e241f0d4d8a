import type { TObject, TProperties } from "typebox";

/** Returns the names of the members that a schema declares, in the order of the schema. */
export function memberNames<Members extends TProperties>(
  schema: TObject<Members>,
): readonly (keyof Members & string)[] {
  return Object.keys(schema.properties);
}
