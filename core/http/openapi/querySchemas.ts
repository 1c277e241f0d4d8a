import Type, { type TSchema } from "typebox";
import { levelNumber, aggregations, levels } from "../../../plugins/protocol/index.ts";
import { reference } from "./reference.ts";

const Text = Type.Optional(Type.String());
const Bins = Type.Optional(reference("QueryBins"));
const column = {
  dataset_id: Text,
  column_id: Type.Optional(Type.String({ description: "`*` counts rows" })),
  level: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: levels.length,
      description: `of a datetime: ${levels.map((level) => `${levelNumber(level)} ${level}`).join(", ")}; 0 for none`,
    }),
  ),
  discretization: Bins,
  expression: Type.Optional(Type.String({ description: "a derived column, in place" })),
  formula: Type.Optional(Type.String({ description: "a formula, in place" })),
  formula_id: Text,
  aggregation: Type.Optional(reference("QueryAggregation")),
};
const Page = Type.Object({ by: Type.Integer(), offset: Type.Optional(Type.Integer()) });
const Filters = Type.Optional(Type.Array(reference("QueryFilter")));

/** The schemas of a query for `data` and exports, by their names in the description. */
export const querySchemas: Readonly<Record<string, TSchema>> = {
  QueryBins: Type.Object(
    {
      type: Type.Union([Type.Literal("linear"), Type.Literal("none")]),
      bins: Type.Optional(Type.Integer({ minimum: 1, description: "how many; or size" })),
      size: Type.Optional(Type.Number({ description: "how wide; or bins" })),
      over: Type.Optional(Type.Array(Type.Number(), { description: "the low and the high end" })),
    },
    { description: "Ranges of numbers as groups." },
  ),
  Aggregation: Type.Union(
    aggregations.map((name) => Type.Literal(name)),
    { description: "The name of an aggregation." },
  ),
  QueryAggregation: Type.Union(
    [
      reference("Aggregation"),
      Type.Object({
        type: reference("Aggregation"),
        fraction: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, description: "of percentile" }),
        ),
        dataset_id: Text,
        column_id: Type.Optional(Type.String({ description: "the weights of weightedaverage" })),
        expression: Text,
        discretization: Bins,
      }),
    ],
    { description: "How the values of a measure become one." },
  ),
  QueryDimension: Type.Object(
    {
      ...column,
      include_nonoccurring: Type.Optional(
        Type.Boolean({ description: "also groups that no row is in" }),
      ),
    },
    { description: "A column of groups, or of plain rows." },
  ),
  QueryMeasure: Type.Object(column, { description: "A column of aggregated values." }),
  QueryOrder: Type.Object(
    { ...column, order: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])) },
    { description: "A column that orders the answer." },
  ),
  QueryFilter: Type.Union(
    [
      Type.Object({
        expression: Type.String({ description: "such as `? = ?`" }),
        parameters: Type.Array(Type.Unknown(), {
          description: "a column first, then values, columns or parameters of a token",
        }),
      }),
      Type.Object({ and: Type.Array(reference("QueryFilter")) }),
      Type.Object({ or: Type.Array(reference("QueryFilter")) }),
      Type.Array(reference("QueryFilter")),
    ],
    {
      description:
        "A test of rows or groups, or a group of tests: all must pass, or with `or` any.",
    },
  ),
  Query: Type.Object(
    {
      dimensions: Type.Optional(Type.Array(reference("QueryDimension"))),
      measures: Type.Optional(Type.Array(reference("QueryMeasure"))),
      where: Filters,
      having: Filters,
      order: Type.Optional(Type.Array(reference("QueryOrder"))),
      limit: Type.Optional(Page),
      options: Type.Optional(
        Type.Object({
          rollup_data: Type.Optional(Type.Boolean()),
          timezone_id: Text,
          locale_id: Type.Optional(
            Type.String({ description: "orders strings as in this language" }),
          ),
          max_age: Type.Optional(
            Type.Number({ minimum: 0, description: "seconds that a kept answer may be old" }),
          ),
          paging: Type.Optional(Page),
          cells: Type.Optional(
            Type.Literal("plain", {
              description: "strings instead of {id, name}; absent for these",
            }),
          ),
        }),
      ),
      explain: Type.Optional(Type.Boolean({ description: "adds explain to the answer" })),
    },
    { description: "One query." },
  ),
};

/** Several queries, or a bare one. */
export const QueryFind = Type.Union([
  Type.Object({
    queries: Type.Array(reference("Query")),
    explain: Type.Optional(Type.Boolean()),
  }),
  reference("Query"),
]);
