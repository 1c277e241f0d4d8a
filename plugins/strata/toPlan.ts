import type * as engine from "../../engine/index.ts";
import {
  aggregationDefinitions,
  type Aggregations,
  foldTree,
  PluginError,
  type ColumnPair,
  type Having,
  type OutputFilter,
  type Query,
  type QueryColumn,
  type QueryJoin,
} from "../protocol/index.ts";
import { createScope, type Named } from "./createScope.ts";
import { checkDepth, readTest, type Subject } from "./readTest.ts";

/** The argument and result types of each aggregation in the protocol. */
type Shapes = {
  readonly [Name in keyof Aggregations]: Pick<
    Aggregations[Name],
    keyof Aggregations[Name] & ("argument" | "takes" | "result")
  >;
};

/** The engine's aggregates. This type compiles only if the engine's table has the same argument and result types. */
type EngineAggregate<Rows extends Shapes = engine.Aggregates> = keyof Rows;

/**
 * Translates a query to a plan over a table. `joined` contains the tables of the query's joins, in order. Datetimes in
 * filters are ISO 8601 instants.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID that names the column
 */
export function toPlan(
  query: Query,
  table: engine.TableInfo,
  joined: readonly engine.TableInfo[] = [],
): engine.Plan {
  const named = namedColumns(table);
  const timezone = query.options.timezone_id ?? "UTC";
  const joins = (query.joins ?? []).map((join, index) =>
    toJoin(join, { name: String(index), table: joined[index], from: query.id, named, timezone }),
  );
  const { typeOf, expressionOf, predicateOf } = createScope({
    datasetId: query.id,
    named,
    derived: query.derived,
    timezone,
  });
  const outputOf = (column: QueryColumn): engine.Output => {
    const { aggregation } = column;
    if (aggregation === undefined) return { kind: "key", of: expressionOf(column) };
    if (aggregation === "count" && column.column_id === "*")
      return { kind: "aggregate", function: "rows" };
    const name: EngineAggregate = aggregation;
    return {
      kind: "aggregate",
      function: name,
      of: expressionOf(column),
      ...argumentsOf(column),
    };
  };
  /** Returns the fraction or the second column that an aggregation takes. */
  const argumentsOf = ({ aggregation, column_id, fraction, weight, other, per }: QueryColumn) => {
    const takes = aggregation && aggregationDefinitions[aggregation].takes;
    if ((takes === "fraction") !== (fraction !== undefined))
      throw new PluginError("PLUGIN_INVALID", [
        `fraction is required for percentile and not allowed elsewhere: ${aggregation} of ${column_id}`,
      ]);
    if ((takes === "weight") !== (weight !== undefined))
      throw new PluginError("PLUGIN_INVALID", [
        `weight is required for weightedaverage and not allowed elsewhere: ${aggregation} of ${column_id}`,
      ]);
    if ((takes === "other") !== (other !== undefined))
      throw new PluginError("PLUGIN_INVALID", [
        `other is required for corr and not allowed elsewhere: ${aggregation} of ${column_id}`,
      ]);
    if (per && aggregation !== "cumulativesum")
      throw new PluginError("PLUGIN_INVALID", [
        `per is only allowed for cumulativesum, not for ${aggregation} of ${column_id}`,
      ]);
    return {
      ...(fraction !== undefined && { fraction }),
      ...(weight !== undefined && { weight: expressionOf({ column_id: weight }) }),
      ...(other !== undefined && { other: expressionOf({ column_id: other }) }),
      ...(per && { per }),
    };
  };
  const keepsType = ({ aggregation }: QueryColumn) =>
    aggregation === undefined || aggregationDefinitions[aggregation].result === "T";
  const outputTestOf = (having: OutputFilter): engine.OutputPredicate => {
    const column = query.columns[having.column];
    if (!column)
      throw new PluginError("PLUGIN_INVALID", [
        `having refers to column ${having.column}, but the query has ${query.columns.length} columns, counted from 0`,
      ]);
    const subject: Subject = {
      label: column.column_id,
      type: keepsType(column) ? typeOf(column.column_id) : "number",
    };
    const test = readTest(having.expression, having.value, subject);
    const leaf = { ...test.leaf, output: having.column };
    return test.negated ? { kind: "not", of: leaf } : leaf;
  };
  const havingOf = (having: Having): engine.OutputPredicate => {
    checkDepth(having);
    return foldTree<OutputFilter, engine.OutputPredicate>(having, {
      leaf: outputTestOf,
      and: (of) => ({ kind: "and", of }),
      or: (of) => ({ kind: "or", of }),
    });
  };
  return {
    table: table.name,
    ...(joins.length > 0 && { joins }),
    outputs: query.columns.map(outputOf),
    grouped: query.options.pushdown,
    ...(query.filters.length > 0 && { filter: predicateOf(query.filters) }),
    ...(query.having &&
      query.having.length > 0 && {
        having: { kind: "and", of: query.having.map(havingOf) },
      }),
    ...(query.order && {
      order: query.order.map(({ column, order }) => ({
        output: column,
        descending: order === "desc",
      })),
    }),
    ...(query.groupLimit && {
      groupLimit: {
        outputs: query.groupLimit.columns,
        count: query.groupLimit.by,
        offset: query.groupLimit.offset ?? 0,
      },
    }),
    ...(query.limit && { limit: { count: query.limit.by, offset: query.limit.offset ?? 0 } }),
  };
}

function namedColumns(table: engine.TableInfo): Map<string, Named> {
  return new Map(
    table.columns.map(({ name, type }): [string, Named] => [
      name,
      { type, expression: { kind: "column", name } },
    ]),
  );
}

interface JoinScope {
  /** Name of the join in the engine's plan. */
  readonly name: string;
  readonly table: engine.TableInfo | undefined;
  /** Id of the dataset that the query reads. */
  readonly from: string;
  /** The columns of the query, keyed by id. `toJoin` adds the columns of the join. */
  readonly named: Map<string, Named>;
  readonly timezone: string;
}

/** Translates a join and adds its columns to `named`. */
function toJoin(join: QueryJoin, { name, table, from, named, timezone }: JoinScope): engine.Join {
  const { id, columns, derived, filters } = join;
  if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
  const types = new Map(table.columns.map((column) => [column.name, column.type]));
  const keyOf = ({ left, right }: ColumnPair): Pick<engine.Join, "left" | "right"> => {
    const start = named.get(left);
    const end = types.get(right);
    if (!start) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [from, left]);
    if (!end) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, right]);
    if (start.type !== end)
      throw new PluginError("PLUGIN_INVALID", [
        `columns of a join must have the same type, but ${left} has the type ${start.type} and ${right} of the dataset ${id} the type ${end}`,
      ]);
    const { name: leftName, join: leftJoin } = start.expression;
    return { left: { name: leftName, ...(leftJoin !== undefined && { join: leftJoin }) }, right };
  };
  const key = keyOf(join);
  const and = join.and?.map(keyOf);
  for (const column of columns) {
    const type = types.get(column.column_id);
    if (!type) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, column.column_id]);
    if (named.has(column.id))
      throw new PluginError("PLUGIN_INVALID", [
        `the column id ${column.id} must be unique in a query`,
      ]);
    const expression = { kind: "column", name: column.column_id, join: name } as const;
    named.set(column.id, { type, expression });
  }
  const own = createScope({ datasetId: id, named: namedColumns(table), derived, timezone });
  return {
    name,
    table: table.name,
    ...key,
    ...(and && { and }),
    ...(filters && filters.length > 0 && { filter: own.predicateOf(filters) }),
  };
}
