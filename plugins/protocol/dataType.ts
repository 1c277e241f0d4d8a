import Type, { type Static } from "typebox";

/** The logical types on the wire. Text is called `hierarchy`. */
export const DataType = Type.Union([
  Type.Literal("numeric"),
  Type.Literal("datetime"),
  Type.Literal("hierarchy"),
]);
export type DataType = Static<typeof DataType>;
