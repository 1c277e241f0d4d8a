import Type, { type Static } from "typebox";

/** A text in several languages: language code to text. */
export const Multilingual = Type.Record(Type.String(), Type.String());
export type Multilingual = Static<typeof Multilingual>;

/** The logical types on the wire. Text is called `hierarchy`. */
export const DataType = Type.Union([
  Type.Literal("numeric"),
  Type.Literal("datetime"),
  Type.Literal("hierarchy"),
]);
export type DataType = Static<typeof DataType>;

export const Column = Type.Object({
  id: Type.String(),
  name: Multilingual,
  type: DataType,
  /** `date` values are never shifted by a time zone. */
  subtype: Type.Optional(
    Type.Union([
      Type.Literal("date"),
      Type.Literal("datetime"),
      Type.Literal("currency"),
      Type.Literal("duration"),
    ]),
  ),
});
export type Column = Static<typeof Column>;

/** One table of a plugin, with its columns in the order in which a basic plugin sends their cells. */
export const Dataset = Type.Object({
  id: Type.String(),
  name: Multilingual,
  description: Type.Optional(Multilingual),
  columns: Type.Array(Column),
  /** Number of rows, where the plugin knows it without a query. */
  rows: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type Dataset = Static<typeof Dataset>;
