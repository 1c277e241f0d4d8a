import type * as engine from "../../engine/index.ts";
import {
  millisecondsOf,
  PluginError,
  type Cell,
  type Filter,
  type Having,
  type Operator,
  type Query,
  type QueryColumn,
  type QueryJoin,
} from "../protocol/index.ts";
import { toExpression } from "./toExpression.ts";

/** What an operator is in the engine; a negative one is the complement of its twin. */
const operatorForms: Readonly<
  Record<
    Operator,
    {
      readonly negated?: true;
      readonly form:
        | engine.ComparisonOperator
        | "in"
        | "contains"
        | "startsWith"
        | "endsWith"
        | "isNull";
    }
  >
> = {
  "=": { form: "=" },
  "!=": { form: "=", negated: true },
  "<": { form: "<" },
  "<=": { form: "<=" },
  ">": { form: ">" },
  ">=": { form: ">=" },
  in: { form: "in" },
  "not in": { form: "in", negated: true },
  like: { form: "contains" },
  "not like": { form: "contains", negated: true },
  "starts with": { form: "startsWith" },
  "not starts with": { form: "startsWith", negated: true },
  "ends with": { form: "endsWith" },
  "not ends with": { form: "endsWith", negated: true },
  "is null": { form: "isNull" },
  "is not null": { form: "isNull", negated: true },
};

const engineTypes = { numeric: "number", hierarchy: "text", datetime: "datetime" } as const;

/** What a filter tests, and what kind of values it compares with. */
interface Subject {
  readonly label: string;
  readonly type: engine.DataType;
}

/** A column of the table or of a joined one, as the engine names it. */
interface Named {
  readonly type: engine.DataType;
  readonly expression: Extract<engine.Expression, { kind: "column" }>;
}

/**
 * Translates a query to the plan of a table; `joined` are the tables of its joins, in their order. Datetimes in filters are
 * ISO 8601 instants.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID naming the column
 */
export function toPlan(
  query: Query,
  table: engine.TableInfo,
  joined: readonly engine.TableInfo[] = [],
): engine.Plan {
  const named = new Map(
    table.columns.map(({ name, type }): [string, Named] => [
      name,
      { type, expression: { kind: "column", name } },
    ]),
  );
  const joins = (query.joins ?? []).map((join, index) =>
    toJoin(join, String(index), joined[index], query.id, named),
  );
  const timezone = query.options.timezone_id ?? "UTC";
  const derived = new Map(query.derived?.map((each) => [each.id, each]));
  const typeOf = (columnId: string): engine.DataType => {
    const known = derived.get(columnId);
    const type = known ? engineTypes[known.type] : named.get(columnId)?.type;
    if (!type) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, columnId]);
    return type;
  };
  const stored = (columnId: string): engine.Expression => {
    const found = named.get(columnId);
    if (!found) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, columnId]);
    return found.expression;
  };
  const valueOf = (columnId: string): engine.Expression => {
    const { expression } = derived.get(columnId) ?? {};
    return expression ? toExpression(expression, stored) : stored(columnId);
  };
  const expressionOf = ({
    column_id,
    level,
    bin,
  }: Pick<QueryColumn, "column_id" | "level" | "bin">): engine.Expression => {
    const type = typeOf(column_id);
    const column = valueOf(column_id);
    if (bin && (level !== undefined || type !== "number"))
      throw new PluginError("PLUGIN_INVALID", [`bins need a number, and ${column_id} is not one`]);
    if (bin) return { kind: "bin", of: column, width: bin.width, origin: bin.origin };
    if (level === undefined) return column;
    if (type !== "datetime")
      throw new PluginError("PLUGIN_INVALID", [
        `the level ${level} needs a datetime, and ${column_id} is not one`,
      ]);
    return { kind: "period", of: column, period: level, timezone };
  };
  const outputOf = (column: QueryColumn): engine.Output => {
    const { aggregation } = column;
    if (aggregation === undefined) return { kind: "key", of: expressionOf(column) };
    if (aggregation === "count" && column.column_id === "*")
      return { kind: "aggregate", function: "rows" };
    return {
      kind: "aggregate",
      function: aggregation,
      of: expressionOf(column),
      ...argumentsOf(column),
    };
  };
  /** The weight of a weighted average, the fraction of a percentile. */
  const argumentsOf = ({ aggregation, column_id, fraction, weight }: QueryColumn) => {
    if ((aggregation === "percentile") !== (fraction !== undefined))
      throw new PluginError("PLUGIN_INVALID", [
        `a percentile has a fraction, and nothing else has: ${aggregation} of ${column_id}`,
      ]);
    if ((aggregation === "weightedaverage") !== (weight !== undefined))
      throw new PluginError("PLUGIN_INVALID", [
        `a weighted average has a weight, and nothing else has: ${aggregation} of ${column_id}`,
      ]);
    return {
      ...(fraction !== undefined && { fraction }),
      ...(weight !== undefined && { weight: expressionOf({ column_id: weight }) }),
    };
  };
  const isExtreme = (column: QueryColumn) =>
    column.aggregation === undefined ||
    column.aggregation === "min" ||
    column.aggregation === "max";
  const filterOf = (filter: Filter, depth = 0): engine.Predicate => {
    checkDepth(depth);
    if ("and" in filter)
      return { kind: "and", of: filter.and.map((part) => filterOf(part, depth + 1)) };
    if ("or" in filter)
      return { kind: "or", of: filter.or.map((part) => filterOf(part, depth + 1)) };
    const left = expressionOf(filter);
    const test = readTest(filter.expression, filter.value, {
      label: filter.column_id,
      type: typeOf(filter.column_id),
    });
    return negate(test.negated, { ...test.leaf, left });
  };
  const havingOf = (having: Having, depth = 0): engine.OutputPredicate => {
    checkDepth(depth);
    if ("and" in having)
      return { kind: "and", of: having.and.map((part) => havingOf(part, depth + 1)) };
    if ("or" in having)
      return { kind: "or", of: having.or.map((part) => havingOf(part, depth + 1)) };
    const column = query.columns[having.column];
    if (!column)
      throw new PluginError("PLUGIN_INVALID", [
        `having names column ${having.column} of ${query.columns.length}`,
      ]);
    const subject: Subject = {
      label: column.column_id,
      type: isExtreme(column) ? typeOf(column.column_id) : "number",
    };
    const test = readTest(having.expression, having.value, subject);
    const leaf = { ...test.leaf, output: having.column };
    return test.negated ? { kind: "not", of: leaf } : leaf;
  };
  return {
    table: table.name,
    ...(joins.length > 0 && { joins }),
    outputs: query.columns.map(outputOf),
    grouped: query.options.pushdown,
    ...(query.filters.length > 0 && {
      filter: { kind: "and", of: query.filters.map((filter) => filterOf(filter)) },
    }),
    ...(query.having &&
      query.having.length > 0 && {
        having: { kind: "and", of: query.having.map((having) => havingOf(having)) },
      }),
    ...(query.order && {
      order: query.order.map(({ column, order }) => ({
        output: column,
        descending: order === "desc",
      })),
    }),
    ...(query.limit && { limit: { count: query.limit.by, offset: query.limit.offset ?? 0 } }),
  };
}

/** Translates a join, and adds its columns to those that have a name. */
function toJoin(
  { id, left, right, columns }: QueryJoin,
  name: string,
  table: engine.TableInfo | undefined,
  from: string,
  named: Map<string, Named>,
): engine.Join {
  if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
  const types = new Map(table.columns.map((column) => [column.name, column.type]));
  const start = named.get(left);
  const end = types.get(right);
  if (!start) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [from, left]);
  if (!end) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, right]);
  if (start.type !== end)
    throw new PluginError("PLUGIN_INVALID", [
      `${left} holds ${start.type}s and ${right} of the dataset ${id} ${end}s, which cannot be joined`,
    ]);
  for (const column of columns) {
    const type = types.get(column.column_id);
    if (!type) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, column.column_id]);
    if (named.has(column.id))
      throw new PluginError("PLUGIN_INVALID", [`two columns have the id ${column.id}`]);
    const expression = { kind: "column", name: column.column_id, join: name } as const;
    named.set(column.id, { type, expression });
  }
  const { name: leftName, join } = start.expression;
  return {
    name,
    table: table.name,
    left: { name: leftName, ...(join !== undefined && { join }) },
    right,
  };
}

/** Levels of groups in a filter. */
const deepest = 400;

function checkDepth(depth: number): void {
  if (depth > deepest)
    throw new PluginError("PLUGIN_INVALID", [`filters nest deeper than ${deepest} levels`]);
}

/** The engine's leaves without what they test. */
type Test =
  | {
      readonly kind: "compare";
      readonly operator: engine.ComparisonOperator;
      readonly value: number | string;
    }
  | { readonly kind: "in"; readonly values: readonly engine.Scalar[] }
  | {
      readonly kind: "match";
      readonly match: "contains" | "startsWith" | "endsWith";
      readonly text: string;
    }
  | { readonly kind: "isNull" };

function negate(negated: boolean, predicate: engine.Predicate): engine.Predicate {
  return negated ? { kind: "not", of: predicate } : predicate;
}

function readTest(
  operator: Operator,
  cells: readonly Cell[] = [],
  subject: Subject,
): { readonly negated: boolean; readonly leaf: Test } {
  const definition = Object.hasOwn(operatorForms, operator) ? operatorForms[operator] : undefined;
  if (!definition)
    throw new PluginError("PLUGIN_INVALID", [`there is no operator ${String(operator)}`]);
  const { form, negated = false } = definition;
  if (form === "isNull") return { negated, leaf: { kind: "isNull" } };
  if (form === "in")
    return {
      negated,
      leaf: {
        kind: "in",
        values: cells.map((cell) => (cell === null ? null : readCell(cell, subject))),
      },
    };
  const [cell] = cells;
  if (cells.length !== 1 || cell === undefined)
    throw new PluginError("PLUGIN_INVALID", [
      `${operator} on ${subject.label} takes one value, not ${cells.length}`,
    ]);
  if (cell === null) {
    if (form === "=") return { negated, leaf: { kind: "isNull" } };
    throw new PluginError("PLUGIN_INVALID", [
      `${operator} on ${subject.label} takes no null; use is null`,
    ]);
  }
  if (form === "contains" || form === "startsWith" || form === "endsWith") {
    if (subject.type !== "text")
      throw new PluginError("PLUGIN_INVALID", [
        `${operator} needs a text, and ${subject.label} is not one`,
      ]);
    return { negated, leaf: { kind: "match", match: form, text: String(readCell(cell, subject)) } };
  }
  return { negated, leaf: { kind: "compare", operator: form, value: readCell(cell, subject) } };
}

/** Reads a value as what its column holds. A datetime without an offset is UTC. */
function readCell(cell: string | number, { label, type }: Subject): number | string {
  if (type === "text") {
    if (typeof cell === "string") return cell;
    throw new PluginError("PLUGIN_INVALID", [`${label} holds texts and is tested with a number`]);
  }
  if (type === "number") {
    if (typeof cell === "number" && Number.isFinite(cell)) return cell;
    throw new PluginError("PLUGIN_INVALID", [
      `${label} holds numbers and is tested with ${typeof cell === "number" ? "one that is not finite" : "a text"}`,
    ]);
  }
  const instant = typeof cell === "string" ? millisecondsOf(cell) : undefined;
  if (instant !== undefined) return instant;
  throw new PluginError("PLUGIN_INVALID", [
    `${label} holds datetimes and is tested with ${typeof cell === "string" ? "a text that is no ISO 8601 instant" : "a number"}`,
  ]);
}
