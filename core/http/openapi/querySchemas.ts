import Type, { type TSchema } from "typebox";
import { levelNumber, aggregations, levels } from "../../../plugins/protocol/index.ts";
import { reference } from "./reference.ts";

const Text = Type.Optional(Type.String());
const Bins = Type.Optional(reference("QueryBins"));
const column = {
  dataset_id: Text,
  column_id: Type.Optional(Type.String({ description: "the id of a column; `*` counts rows" })),
  level: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: levels.length,
      description: `period to which a datetime is truncated: ${levels.map((level) => `${levelNumber(level)} ${level}`).join(", ")}; 0 for none`,
    }),
  ),
  discretization: Bins,
  expression: Type.Optional(
    Type.String({ description: "the expression of a derived column, instead of a column_id" }),
  ),
  formula: Type.Optional(
    Type.String({ description: "the expression of a formula, instead of a formula_id" }),
  ),
  formula_id: Text,
  aggregation: Type.Optional(reference("QueryAggregation")),
};
const Page = Type.Object({ by: Type.Integer(), offset: Type.Optional(Type.Integer()) });
const Filters = Type.Optional(Type.Array(reference("QueryFilter")));

/** The schemas of a query for `data` and exports, by schema name. */
export const querySchemas: Readonly<Record<string, TSchema>> = {
  QueryBins: Type.Object(
    {
      type: Type.Union([Type.Literal("linear"), Type.Literal("none")]),
      bins: Type.Optional(
        Type.Integer({ minimum: 1, description: "number of bins; send it or size" }),
      ),
      size: Type.Optional(Type.Number({ description: "width of a bin; send it or bins" })),
      over: Type.Optional(
        Type.Array(Type.Number(), { description: "the lowest and the highest bound" }),
      ),
    },
    { description: "Ranges of numbers that form groups." },
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
        column_id: Type.Optional(
          Type.String({ description: "the column of the weights, for weightedaverage" }),
        ),
        expression: Text,
        discretization: Bins,
      }),
    ],
    { description: "How to aggregate the values of a measure." },
  ),
  QueryDimension: Type.Object(
    {
      ...column,
      include_nonoccurring: Type.Optional(
        Type.Boolean({ description: "whether to include groups without rows" }),
      ),
    },
    { description: "A column to group by, or a column of plain rows." },
  ),
  QueryMeasure: Type.Object(column, { description: "A column of aggregated values." }),
  QueryOrder: Type.Object(
    { ...column, order: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])) },
    { description: "A column to sort the answer by." },
  ),
  QueryFilter: Type.Union(
    [
      Type.Object({
        expression: Type.String({ description: "a condition, such as `? = ?`" }),
        parameters: Type.Array(Type.Unknown(), {
          description: "first a column, then values, columns or token parameters",
        }),
      }),
      Type.Object({ and: Type.Array(reference("QueryFilter")) }),
      Type.Object({ or: Type.Array(reference("QueryFilter")) }),
      Type.Array(reference("QueryFilter")),
    ],
    {
      description:
        "A condition on rows or groups, or a list of conditions: all must hold, or with `or` at least one.",
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
            Type.String({ description: "the language whose rules sort strings" }),
          ),
          max_age: Type.Optional(
            Type.Number({ minimum: 0, description: "maximum age of a cached answer in seconds" }),
          ),
          paging: Type.Optional(Page),
          cells: Type.Optional(
            Type.Literal("plain", {
              description: "plain returns cells as strings; absent, they are {id, name}",
            }),
          ),
        }),
      ),
      explain: Type.Optional(
        Type.Boolean({ description: "true adds an explanation to the answer" }),
      ),
    },
    { description: "One query." },
  ),
};

/** A list of queries, or a single query. */
export const QueryFind = Type.Union([
  Type.Object({
    queries: Type.Array(reference("Query")),
    explain: Type.Optional(Type.Boolean()),
  }),
  reference("Query"),
]);
