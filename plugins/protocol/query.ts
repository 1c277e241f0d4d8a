import Type, { type Static } from "typebox";
import { DataType } from "./dataset.ts";
import { derivedSchemas, type Derived } from "./expression.ts";
import type { Tree } from "./tree.ts";

/** Calendar periods, coarsest first. Weeks start on Monday. */
export const levels = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
] as const;
export const Level = Type.Union(levels.map((level) => Type.Literal(level)));
export type Level = (typeof levels)[number];

/**
 * What a group is folded into. Nulls are skipped; over no values counts are 0 and all others null. `median` and `percentile` are
 * exact and interpolate between neighbours as percentile_cont of SQL. `stddev` is of the sample, null of one value.
 * `weightedaverage` is sum(value * weight) / sum(weight) over rows where neither is null, null when the weights sum to 0.
 * `cumulativesum` adds up `sum` over the rows of the answer: in their order, after `having` and before `limit`; a null adds nothing.
 */
export const aggregations = [
  "sum",
  "min",
  "max",
  "count",
  "distinctcount",
  "average",
  "median",
  "percentile",
  "stddev",
  "weightedaverage",
  "cumulativesum",
] as const;
export const Aggregation = Type.Union(aggregations.map((aggregation) => Type.Literal(aggregation)));
export type Aggregation = (typeof aggregations)[number];

/**
 * Bins of equal width: a number becomes the limit at which its bin starts, the greatest limit that is not above it.
 * Limits are origin + k * width of the decimals that these spell, as `limitsOf` computes them. For whole widths and
 * the origin 0 that is floor(number / width) * width.
 */
export const Bin = Type.Object({
  width: Type.Number({ exclusiveMinimum: 0 }),
  origin: Type.Number(),
});
export interface Bin {
  readonly width: number;
  readonly origin: number;
}

/**
 * One column of the answer. Without `aggregation` it is a group key (or, with `options.pushdown`
 * false, a plain column). `column_id: "*"` with `count` counts rows; `count` of a column counts its
 * non-null values. `level` truncates a datetime in `options.timezone_id`, `bin` bins a number. `fraction` (0 to 1) is of
 * `percentile`, `weight` (a numeric column) of `weightedaverage`, and of nothing else.
 */
export const QueryColumn = Type.Object({
  column_id: Type.String(),
  level: Type.Optional(Level),
  bin: Type.Optional(Bin),
  aggregation: Type.Optional(Aggregation),
  fraction: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  weight: Type.Optional(Type.String()),
  type: Type.Optional(DataType),
});
export interface QueryColumn {
  readonly column_id: string;
  readonly level?: Level;
  readonly bin?: Bin;
  readonly aggregation?: Aggregation;
  readonly fraction?: number;
  readonly weight?: string;
  readonly type?: DataType;
}

/** Every operator of a filter. Negative ones are the exact complement of their positive twin: null passes them. */
export const operators = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "not in",
  "like",
  "not like",
  "starts with",
  "not starts with",
  "ends with",
  "not ends with",
  "is null",
  "is not null",
] as const;
export const Operator = Type.Union(operators.map((operator) => Type.Literal(operator)));
export type Operator = (typeof operators)[number];

/** A number, a text or null; a datetime travels as an ISO instant in UTC. */
export const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);
export type Cell = Static<typeof Cell>;

/**
 * A test of one column. `value` is a list also for scalars, and absent for null tests. `in` may
 * list null; an empty list matches no rows (`not in` an empty list: all rows). `like` (contains), `starts with`, `ends with`
 * ignore case and know no wildcards; `=` and `in` compare texts exactly.
 */
export interface ColumnFilter {
  readonly column_id: string;
  readonly expression: Operator;
  readonly value?: readonly Cell[];
  readonly level?: Level;
}

/** Tests of columns, before grouping. */
export type Filter = Tree<ColumnFilter>;

/** A test of one answer column, after grouping: `column` is its index in `columns`. */
export interface OutputFilter {
  readonly column: number;
  readonly expression: Operator;
  readonly value?: readonly Cell[];
}

export type Having = Tree<OutputFilter>;

export interface Order {
  /** Index in `columns`. */
  readonly column: number;
  readonly order: "asc" | "desc";
}

export interface Limit {
  readonly by: number;
  readonly offset?: number;
}

export interface QueryOptions {
  /** true: one row per combination of the columns without aggregation; false: plain rows, no aggregation. */
  readonly pushdown: boolean;
  /** IANA name; UTC when absent. */
  readonly timezone_id?: string;
  /** Milliseconds that the caller will wait. */
  readonly query_timeout?: number;
}

/**
 * A left join, many-to-one: each row meets the one row of dataset `id` whose `right` equals `left`; without one, or when `left` is
 * null, the joined columns are null. Ids of joined columns stand wherever a `column_id` may, as those of `derived` do.
 */
export interface QueryJoin {
  /** The joined dataset's id. */
  readonly id: string;
  /** A column of the query's dataset, or what an earlier join calls one of its columns. */
  readonly left: string;
  /**
   * A column of the joined dataset, of the type of `left`. A value that occurs twice in its filtered rows is
   * PLUGIN_JOIN_AMBIGUOUS.
   */
  readonly right: string;
  /** Columns computed per row of the joined dataset, for its `filters`. Their ids are none of its columns'. */
  readonly derived?: readonly Derived[];
  /**
   * ANDed tests of the joined dataset's own columns and of `derived`. They apply before the join: a row that fails is
   * met by none. Only for plugins that promise `joinFilters`.
   */
  readonly filters?: readonly Filter[];
  /**
   * `id` is what the query calls it: no column of the query's dataset, no derived and no other joined column has that
   * id.
   */
  readonly columns: readonly {
    readonly id: string;
    readonly column_id: string;
    readonly type: DataType;
  }[];
}

/**
 * A question to one dataset, or to one and those joined to it. `filters` and `having` are ANDed. Cells come in the order of `columns`.
 * Without `order` the rows come in any order; nulls sort last in both directions; text sorts by code point.
 */
export interface Query {
  /** The dataset's id. */
  readonly id: string;
  /** In order: before derived columns and filters. */
  readonly joins?: readonly QueryJoin[];
  /** Columns that are computed per row, before anything else but joins. */
  readonly derived?: readonly Derived[];
  readonly columns: readonly QueryColumn[];
  readonly filters: readonly Filter[];
  readonly having?: readonly Having[];
  readonly order?: readonly Order[];
  readonly limit?: Limit;
  readonly options: QueryOptions;
}

const ColumnFilter = Type.Object({
  column_id: Type.String(),
  expression: Operator,
  value: Type.Optional(Type.Array(Cell)),
  level: Type.Optional(Level),
});
const OutputFilter = Type.Object({
  column: Type.Integer({ minimum: 0 }),
  expression: Operator,
  value: Type.Optional(Type.Array(Cell)),
});

/** The wire form of `Query` as a plugin receives it in `/query` of `manifold-1`. Group members nest up to the depth cap of the body. */
export const Query = Type.Cyclic(
  {
    Filter: Type.Union([
      ColumnFilter,
      Type.Object({ and: Type.Array(Type.Ref("Filter")) }),
      Type.Object({ or: Type.Array(Type.Ref("Filter")) }),
    ]),
    Having: Type.Union([
      OutputFilter,
      Type.Object({ and: Type.Array(Type.Ref("Having")) }),
      Type.Object({ or: Type.Array(Type.Ref("Having")) }),
    ]),
    ...derivedSchemas,
    Query: Type.Object({
      id: Type.String(),
      joins: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String(),
            left: Type.String(),
            right: Type.String(),
            derived: Type.Optional(Type.Array(Type.Ref("Derived"))),
            filters: Type.Optional(Type.Array(Type.Ref("Filter"))),
            columns: Type.Array(
              Type.Object({ id: Type.String(), column_id: Type.String(), type: DataType }),
            ),
          }),
        ),
      ),
      derived: Type.Optional(Type.Array(Type.Ref("Derived"))),
      columns: Type.Array(QueryColumn),
      filters: Type.Array(Type.Ref("Filter")),
      having: Type.Optional(Type.Array(Type.Ref("Having"))),
      order: Type.Optional(
        Type.Array(
          Type.Object({
            column: Type.Integer({ minimum: 0 }),
            order: Type.Union([Type.Literal("asc"), Type.Literal("desc")]),
          }),
        ),
      ),
      limit: Type.Optional(
        Type.Object({
          by: Type.Integer({ minimum: 0 }),
          offset: Type.Optional(Type.Integer({ minimum: 0 })),
        }),
      ),
      options: Type.Object({
        pushdown: Type.Boolean(),
        timezone_id: Type.Optional(Type.String()),
        query_timeout: Type.Optional(Type.Number()),
      }),
    }),
  },
  "Query",
);
