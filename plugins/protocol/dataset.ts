import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { Narrowing } from "./narrowing.ts";
import { named } from "./schemas.ts";

/** A text in several languages: language code to text. */
export const Multilingual = Type.Record(Type.String(), Type.String());
export type Multilingual = Static<typeof Multilingual>;

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
  /** The promises of the capabilities that do not hold for this column. */
  narrowed: Type.Optional(named<Narrowing>(Narrowing)),
  /** Some values as texts, for people who choose datasets; never stored. */
  samples: Type.Optional(Type.Array(Type.String())),
});
export type Column = Static<typeof Column>;

/** One table of a plugin, with its columns in the order in which a basic plugin sends their cells. */
export const Dataset = Type.Object({
  id: Type.String(),
  name: Multilingual,
  description: Type.Optional(Multilingual),
  columns: Type.Array(Column),
  /** The parts of a name in a database, and what it names, such as `view`; a dataset without them is a `table`. */
  schema: Type.Optional(Type.String()),
  table: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  /** Number of rows, where the plugin knows it without a query. */
  rows: Type.Optional(Type.Integer({ minimum: 0 })),
  /** How the plugin read the source, and what it doubts, for people who choose datasets; never stored. */
  notes: Type.Optional(Type.Array(Type.String())),
});
export type Dataset = Static<typeof Dataset>;
