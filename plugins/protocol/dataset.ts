import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { Narrowing } from "./narrowing.ts";
import { named } from "./schemas.ts";

/** A name or description in several languages, by language code such as `en`. */
export const Multilingual = Type.Record(Type.String(), Type.String());
export type Multilingual = Static<typeof Multilingual>;

/** A column of a dataset. */
export const Column = Type.Object({
  /** Id of the column, unique in its dataset. */
  id: Type.String(),
  /** Name of the column, as shown to users. */
  name: Multilingual,
  /** Logical type of the values. */
  type: DataType,
  /**
   * How values are shown. Values of the subtype `date` are never shifted by a time zone. Absent: as usual for the type.
   */
  subtype: Type.Optional(
    Type.Union([
      Type.Literal("date"),
      Type.Literal("datetime"),
      Type.Literal("currency"),
      Type.Literal("duration"),
    ]),
  ),
  /** The capabilities that do not apply to the column. Absent: all capabilities apply. */
  narrowed: Type.Optional(named<Narrowing>(Narrowing)),
  /** Sample values as strings, shown to users who select datasets. The host never stores them. */
  samples: Type.Optional(Type.Array(Type.String())),
});
export type Column = Static<typeof Column>;

/** A table that a plugin offers for queries. */
export const Dataset = Type.Object({
  /** Id of the dataset, unique in the plugin. */
  id: Type.String(),
  /** Name of the dataset, as shown to users. */
  name: Multilingual,
  /** Description of the dataset, as shown to users. */
  description: Type.Optional(Multilingual),
  /** The columns, in the order in which a basic plugin sends their cells. */
  columns: Type.Array(Column),
  /** Name of the schema in the database. */
  schema: Type.Optional(Type.String()),
  /** Name of the table or view in the database. */
  table: Type.Optional(Type.String()),
  /**
   * Kind of database object, such as `view`.
   * @default "table"
   */
  kind: Type.Optional(Type.String()),
  /** Number of rows, if the plugin knows this number without a query. */
  rows: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Remarks for users who select datasets, such as how the plugin detected types. The host never stores them. */
  notes: Type.Optional(Type.Array(Type.String())),
});
export type Dataset = Static<typeof Dataset>;
