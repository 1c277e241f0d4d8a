import Type from "typebox";
import { levels } from "../../../plugins/protocol/index.ts";
import { type NamedSchemas, reference } from "../../base/index.ts";
import { parameterTypes } from "./parameterTypes.ts";

const Cell = Type.Union([Type.String(), Type.Number()]);
const CellOrNull = Type.Union([Type.String(), Type.Number(), Type.Null()]);
const Id = Type.String({ format: "uuid" });

/** A parameter in place of a value, which an override of the caller's token sets. */
export const FilterParameter = Type.Object(
  {
    parameter: Type.String({
      minLength: 1,
      description: "Name of the parameter, with or without the prefix `metadata.`.",
    }),
    type: Type.Enum([...parameterTypes], {
      type: "string",
      description: "Type of the value: the type of the column, or a list of values of this type.",
    }),
    value: Type.Optional(
      Type.Union([Cell, Type.Array(CellOrNull)], {
        description: "The default, for callers without an override.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "A value that an override of the caller's token sets.",
  },
);

/** The value of a test with a relative word, such as `last_now`. */
export const FilterPeriod = Type.Object(
  {
    unit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: levels.length,
        description: "Length of a period: from 1 (year) to 9 (millisecond), such as 5 (day).",
      }),
    ),
    quantity: Type.Optional(Type.Integer({ description: "Number of periods. Absent: 1." })),
  },
  { additionalProperties: false, description: "A number of periods, such as the last 3 months." },
);

/** A column of the same dataset, to which a row filter compares its own column. */
const FilterColumn = Type.Object(
  {
    column_id: Id,
    dataset_id: Type.Optional(Id),
    securable_id: Type.Optional(Id),
  },
  { additionalProperties: false, description: "Another column of the filter's dataset." },
);

/** A filter that restricts the rows of a dataset. */
export const RowFilter = Type.Object(
  {
    clause: Type.Optional(
      Type.Enum(["where", "having"], {
        type: "string",
        description:
          "`where` tests rows, `having` tests groups. Absent: `where`. Filter groups and shares allow only `where`.",
      }),
    ),
    origin: Type.Optional(
      Type.Literal("global", { description: "Always `global`: the filter restricts rows." }),
    ),
    securable_id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    column_id: Type.String({ format: "uuid", description: "Id of a column of the dataset." }),
    expression: Type.String({
      minLength: 1,
      description:
        "The test, such as `? in ?`. The first `?` is the column, the second is `value`.",
    }),
    value: Type.Optional(reference("RowFilterValue")),
  },
  { additionalProperties: false, description: "A filter that restricts the rows of a dataset." },
);

/** The schemas of row filters, by the name in the API description. */
export const rowFilterSchemas: NamedSchemas = {
  FilterParameter,
  FilterPeriod,
  RowFilterValue: Type.Union(
    [
      Cell,
      Type.Null(),
      Type.Array(Type.Union([CellOrNull, FilterColumn])),
      reference("FilterParameter"),
      reference("FilterPeriod"),
      FilterColumn,
    ],
    { description: "What a filter compares its column with." },
  ),
  RowFilter,
};
