import type * as engine from "../../engine/index.ts";
import {
  foldTree,
  PluginError,
  type ColumnFilter,
  type Derived,
  type Filter,
  type QueryColumn,
} from "../protocol/index.ts";
import { checkDepth, negate, readTest } from "./readTest.ts";
import { toExpression } from "./toExpression.ts";

const engineTypes = { numeric: "number", hierarchy: "text", datetime: "datetime" } as const;

/** A column of the dataset or of a joined dataset, with its name in the engine. */
export interface Named {
  readonly type: engine.DataType;
  readonly expression: Extract<engine.Expression, { kind: "column" }>;
}

/** The names to which a query, or the filters of one of its joins, may refer. */
export interface NameScope {
  /** Id of the dataset, for error messages. */
  readonly datasetId: string;
  /** The columns to which the query can refer, by id. */
  readonly named: ReadonlyMap<string, Named>;
  readonly derived: readonly Derived[] | undefined;
  readonly timezone: string;
}

/** Translates the references to columns in a query. */
export interface Scope {
  /**
   * Returns the type of a column.
   * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN
   */
  typeOf(columnId: string): engine.DataType;
  /**
   * Translates a column of a query, with its level or bin, to an expression.
   * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID
   */
  expressionOf(column: Pick<QueryColumn, "column_id" | "level" | "bin">): engine.Expression;
  /**
   * Translates filters that are joined by AND to a predicate.
   * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID
   */
  predicateOf(filters: readonly Filter[]): engine.Predicate;
}

export function createScope({ datasetId, named, derived, timezone }: NameScope): Scope {
  const made = new Map(derived?.map((each) => [each.id, each]));
  const typeOf = (columnId: string): engine.DataType => {
    const known = made.get(columnId);
    const type = known ? engineTypes[known.type] : named.get(columnId)?.type;
    if (!type) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [datasetId, columnId]);
    return type;
  };
  const stored = (columnId: string): engine.Expression => {
    const found = named.get(columnId);
    if (!found) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [datasetId, columnId]);
    return found.expression;
  };
  const valueOf = (columnId: string): engine.Expression => {
    const { expression } = made.get(columnId) ?? {};
    return expression ? toExpression(expression, stored) : stored(columnId);
  };
  const expressionOf: Scope["expressionOf"] = ({ column_id, level, bin }) => {
    const type = typeOf(column_id);
    const column = valueOf(column_id);
    if (bin && (level !== undefined || type !== "number"))
      throw new PluginError("PLUGIN_INVALID", [`${column_id} must be numeric for bins`]);
    if (bin) return { kind: "bin", of: column, width: bin.width, origin: bin.origin };
    if (level === undefined) return column;
    if (type !== "datetime")
      throw new PluginError("PLUGIN_INVALID", [
        `${column_id} must be a datetime for the level ${level}`,
      ]);
    return { kind: "period", of: column, period: level, timezone };
  };
  const testOf = (filter: ColumnFilter): engine.Predicate => {
    const left = expressionOf(filter);
    const test = readTest(filter.expression, filter.value, {
      label: filter.column_id,
      type: typeOf(filter.column_id),
    });
    return negate(test.negated, { ...test.leaf, left });
  };
  const filterOf = (filter: Filter): engine.Predicate => {
    checkDepth(filter);
    return foldTree<ColumnFilter, engine.Predicate>(filter, {
      leaf: testOf,
      and: (of) => ({ kind: "and", of }),
      or: (of) => ({ kind: "or", of }),
    });
  };
  const predicateOf = (filters: readonly Filter[]): engine.Predicate => ({
    kind: "and",
    of: filters.map(filterOf),
  });
  return { typeOf, expressionOf, predicateOf };
}
