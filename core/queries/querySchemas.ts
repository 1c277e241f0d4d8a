import Type, { type TSchema } from "typebox";
import { levelNumber, aggregations, levels } from "../../plugins/protocol/index.ts";
import { reference } from "../base/index.ts";
import { calculationTypes } from "./calculationTypes.ts";

const Text = Type.Optional(Type.String());
const Bins = Type.Optional(reference("QueryBins"));
const Via = Type.Optional(
  Type.String({
    description:
      "The id of the linked column from which the joins to the dataset start, if several ways lead to it.",
  }),
);
const column = {
  dataset_id: Text,
  via: Via,
  column_id: Type.Optional(Type.String({ description: "The id of a column; `*` counts rows." })),
  level: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: levels.length,
      description: `Period to which a datetime is truncated: ${levels.map((level) => `${levelNumber(level)} ${level}`).join(", ")}; 0 for none.`,
    }),
  ),
  discretization: Bins,
  expression: Type.Optional(
    Type.String({ description: "The expression of a derived column, instead of a column_id." }),
  ),
  formula: Type.Optional(
    Type.String({ description: "The expression of a formula, instead of a formula_id." }),
  ),
  formula_id: Text,
  aggregation: Type.Optional(reference("QueryAggregation")),
};
const measure = { ...column, calculation: Type.Optional(reference("QueryCalculation")) };
const Page = Type.Object({ by: Type.Integer(), offset: Type.Optional(Type.Integer()) });
const Filters = Type.Optional(Type.Array(reference("QueryFilter")));

/** The schemas of a query for `data` and exports, by schema name. */
export const querySchemas = {
  QueryBins: Type.Object(
    {
      type: Type.Union([Type.Literal("linear"), Type.Literal("none")]),
      bins: Type.Optional(
        Type.Integer({ minimum: 1, description: "Number of bins. Send either this or `size`." }),
      ),
      size: Type.Optional(
        Type.Number({ description: "Width of a bin. Send either this or `bins`." }),
      ),
      over: Type.Optional(
        Type.Array(Type.Number(), { description: "The lowest and the highest bound." }),
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
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: "The fraction of `percentile`, such as 0.9.",
          }),
        ),
        per: Type.Optional(
          Type.Array(reference("QueryDimension"), {
            description:
              "Dimensions of the query. A cumulativesum starts again for each combination of their values.",
          }),
        ),
        dataset_id: Text,
        via: Via,
        column_id: Type.Optional(
          Type.String({
            description:
              "The column of the weights, for weightedaverage; the other column, for corr.",
          }),
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
        Type.Boolean({ description: "Whether to include groups without rows." }),
      ),
    },
    { description: "A column to group by, or a column of plain rows." },
  ),
  CalculationType: Type.Union(
    Object.entries(calculationTypes).map(([name, { description }]) =>
      Type.Literal(name, { description: `${description}.` }),
    ),
    { description: "The name of a calculation." },
  ),
  QueryCalculation: Type.Object(
    {
      type: reference("CalculationType"),
      dataset_id: Text,
      via: Via,
      column_id: Type.Optional(
        Type.String({
          description:
            "The datetime column along which the measure is compared. Absent: the only datetime dimension.",
        }),
      ),
      level: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: levels.length,
          description:
            "The unit of the earlier period, as a level: 1 for a year. 0 or absent: the length of the range to which `where` limits the column.",
        }),
      ),
      quantity: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "How many units earlier the period is. Absent: 1.",
        }),
      ),
      period_to_date: Type.Optional(
        Type.Boolean({
          description:
            "`true` ends the earlier period as long after its start as now is after the start of the present period.",
        }),
      ),
      per: Type.Optional(
        Type.Array(reference("QueryDimension"), {
          description:
            "Dimensions of the query. A share or a rank is computed within the groups with equal values in them.",
        }),
      ),
      order: Type.Optional(
        Type.Union([Type.Literal("asc"), Type.Literal("desc")], {
          description:
            "For `rank`: whether the largest (`desc`) or the smallest value (`asc`) has the rank 1. Absent: `desc`.",
        }),
      ),
    },
    { description: "A value that is computed from the measure in all groups of the query." },
  ),
  QueryMeasure: Type.Object(measure, { description: "A column of aggregated values." }),
  QueryOrder: Type.Object(
    { ...measure, order: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])) },
    { description: "A column to sort the answer by." },
  ),
  QueryFilter: Type.Union(
    [
      Type.Object({
        expression: Type.String({ description: "A condition, such as `? = ?`." }),
        parameters: Type.Array(reference("QueryOperand"), {
          description: "First a column, then values, columns or token parameters.",
        }),
      }),
      Type.Object({ and: Type.Array(reference("QueryFilter")) }),
      Type.Object({ or: Type.Array(reference("QueryFilter")) }),
      Type.Array(reference("QueryFilter")),
    ],
    {
      description:
        "A condition on rows or groups, or a list of conditions. In a list, all conditions must be true; with `or`, at least one must be true.",
    },
  ),
  AnswerCell: Type.Union(
    [
      Type.Number(),
      Type.String(),
      Type.Null(),
      Type.Object({
        id: Type.String({ description: "The value." }),
        name: Type.Record(Type.String(), Type.String(), { description: "Labels by language." }),
        color: Text,
      }),
    ],
    {
      description:
        "A cell of an answer: a number, an instant, a bin, null, or a string. A string has the form {id, name} unless the query requests plain cells.",
    },
  ),
  QueryOperand: Type.Union(
    [
      Type.String(),
      Type.Number(),
      Type.Null(),
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null(), Type.Object(column)])),
      reference("FilterParameter"),
      reference("FilterPeriod"),
      Type.Object(measure),
    ],
    { description: "A column, a value, a list of values, a parameter or a number of periods." },
  ),
  QueryFrom: Type.Object(
    {
      query: reference("Query"),
      columns: Type.Array(Type.String(), {
        description:
          "A name for each dimension, then each measure, of the inner query. The query names these columns as {dataset_id: `from`, column_id}, and in expressions as {from:column}.",
      }),
    },
    { description: "An inner query whose answer the query reads instead of datasets." },
  ),
  Query: Type.Object(
    {
      from: Type.Optional(reference("QueryFrom")),
      dimensions: Type.Optional(Type.Array(reference("QueryDimension"))),
      measures: Type.Optional(Type.Array(reference("QueryMeasure"))),
      where: Filters,
      having: Filters,
      order: Type.Optional(Type.Array(reference("QueryOrder"))),
      limit: Type.Optional(
        Type.Object({
          by: Type.Integer(),
          offset: Type.Optional(Type.Integer()),
          per: Type.Optional(
            Type.Array(reference("QueryDimension"), {
              description:
                "Dimensions of the query. `by` and `offset` then apply to the rows of each combination of their values, in the order of the answer.",
            }),
          ),
        }),
      ),
      options: Type.Optional(
        Type.Object({
          rollup_data: Type.Optional(Type.Boolean()),
          timezone_id: Text,
          locale_id: Type.Optional(
            Type.String({
              description: "The language whose rules determine the order of strings.",
            }),
          ),
          max_age: Type.Optional(
            Type.Number({ minimum: 0, description: "Maximum age of a cached answer in seconds." }),
          ),
          paging: Type.Optional(Page),
          cells: Type.Optional(
            Type.Literal("plain", {
              description:
                "`plain` returns strings as plain cells. Absent: strings have the form {id, name}.",
            }),
          ),
        }),
      ),
      explain: Type.Optional(
        Type.Boolean({ description: "`true` adds an explanation to the answer." }),
      ),
      context: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: "Accepted but ignored." }),
      ),
    },
    { description: "One query." },
  ),
} as const satisfies Readonly<Record<string, TSchema>>;

/** The schema of `find` for `data`: a list of queries under `queries`, or a single query. */
export const QueryFind = Type.Union([
  Type.Object({
    queries: Type.Array(reference("Query")),
    explain: Type.Optional(Type.Boolean()),
  }),
  reference("Query"),
]);
