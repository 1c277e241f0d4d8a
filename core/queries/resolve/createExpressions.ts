import { ApiError } from "../../errors.ts";
import {
  compileExpression,
  evaluate,
  ExpressionError,
  type CompiledExpression,
  type PortableAggregate,
  type PortableExpression,
  type ResolvedColumn,
} from "../../expressions/index.ts";
import type { DataType, Derived, Expression } from "../../../plugins/protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";

type Reference = Parameters<Parameters<typeof compileExpression>[1]["resolve"]>[0];

const valueTypes = { numeric: "number", hierarchy: "text", datetime: "datetime" } as const;
const dataTypes = { number: "numeric", text: "hierarchy", datetime: "datetime" } as const;

/** A formula over the groups: what it folds, and its value over the results, which it names as columns. */
export interface CompiledFormula {
  readonly type: DataType;
  readonly aggregates: readonly PortableAggregate[];
  value(columnIds: readonly string[]): Expression;
}

export interface Expressions {
  /**
   * Compiles a derived column over the columns that the caller may name: of all datasets, or of the one that it is a column of.
   * Of a joined dataset it is null in rows that met none of its rows.
   * @throws {ApiError} MEMBER_INVALID with line and column, and what was expected there
   */
  derived(source: string, id: string, path: string, datasetId?: string): Derived;
  /** Compiles a formula over the same columns, derived ones too. @throws {ApiError} MEMBER_INVALID */
  formula(source: string, path: string): CompiledFormula;
  /** The stored column that a tree is, undefined when it is anything else. */
  columnOf(tree: PortableExpression): QueriedColumn | undefined;
  toExpression(tree: PortableExpression): Expression;
}

/** A dataset as expressions see it. */
export interface ExpressionScope extends Pick<QueriedDataset, "id" | "columns"> {
  /** Of a joined dataset: what the query calls the column that is null in rows that met none of its rows. */
  readonly matchedBy?: string;
}

/**
 * Makes the compiler of a query's expressions. `now` and `today` become the instant of the request, so that the same rows give
 * the same value everywhere.
 */
export function createExpressions(datasets: readonly ExpressionScope[], clock: Clock): Expressions {
  const findIn = (
    { datasetId, columnId }: Reference,
    among: readonly ExpressionScope[] = datasets,
  ): { readonly dataset: ExpressionScope; readonly column: QueriedColumn } | undefined => {
    const dataset = among.find(({ id }) => id === datasetId || id === datasetId.toLowerCase());
    const column = dataset?.columns.get(columnId) ?? dataset?.columns.get(columnId.toLowerCase());
    return dataset && column && { dataset, column };
  };
  /** Derived columns that formulas name, each compiled once. */
  const derivedColumns = new Map<QueriedColumn, Omit<Derived, "id">>();
  const compileAs = (
    kind: "column" | "formula",
    source: string,
    path: string,
    among: readonly ExpressionScope[] = datasets,
  ) =>
    compile(source, path, {
      kind,
      timezone: clock.timezone,
      resolve: (reference) => {
        const found = findIn(reference, among);
        if (kind === "column" || found?.column.expression === undefined)
          return resolved(found?.column);
        const { type, subtype } = derivedColumn(found.dataset, found.column, path);
        return { type: valueTypes[type], isDate: subtype === "date" };
      },
    });
  /** @throws {ApiError} MEMBER_INVALID for one that cannot be computed */
  const derivedColumn = (
    dataset: ExpressionScope,
    column: QueriedColumn,
    path: string,
  ): Omit<Derived, "id"> => {
    const known = derivedColumns.get(column);
    if (known) return known;
    try {
      const made = derivedOf(column.expression ?? "", path, dataset);
      derivedColumns.set(column, made);
      return made;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const why = `the derived column ${column.id} (${column.name}) cannot be computed; validate the column`;
      throw new ApiError("MEMBER_INVALID", [path, why], { cause });
    }
  };
  const derivedOf = (
    source: string,
    path: string,
    own: ExpressionScope | undefined,
  ): Omit<Derived, "id"> => {
    const compiled = compileAs("column", source, path, own && [own]);
    const type = dataTypes[compiled.type];
    const expression = toExpression(compiled.value);
    return {
      type,
      ...(compiled.isDate && { subtype: "date" as const }),
      expression:
        own?.matchedBy === undefined ? expression : whereMatched(expression, type, own.matchedBy),
    };
  };
  const toExpression = (tree: PortableExpression, results: readonly string[] = []): Expression => {
    switch (tree.kind) {
      case "column": {
        const column = findIn(tree)?.column;
        const derived = column && derivedColumns.get(column);
        return (
          derived?.expression ?? { kind: "column", column_id: column?.pluginId ?? tree.columnId }
        );
      }
      case "literal":
        return literalOf(tree);
      case "aggregate": {
        const columnId = results[tree.index];
        if (columnId === undefined) throw new TypeError("a row has no aggregate");
        return { kind: "column", column_id: columnId };
      }
      case "call": {
        const { function: name } = tree;
        if (name !== "now" && name !== "today")
          return {
            kind: "call",
            function: name,
            args: tree.args.map((each) => toExpression(each, results)),
          };
        const value = evaluate(tree, { nowMs: clock.nowMs });
        return literalOf({ kind: "literal", type: tree.type, value });
      }
    }
  };
  return {
    derived(source, id, path, datasetId) {
      const own = datasets.find((dataset) => dataset.id === datasetId);
      return { id, ...derivedOf(source, path, own) };
    },
    formula(source, path) {
      const { type, aggregates, value } = compileAs("formula", source, path);
      return {
        type: dataTypes[type],
        aggregates,
        value: (columnIds) => toExpression(value, columnIds),
      };
    },
    columnOf: (tree) => {
      const column = tree.kind === "column" ? findIn(tree)?.column : undefined;
      return column?.expression === undefined ? column : undefined;
    },
    toExpression: (tree) => toExpression(tree),
  };
}

/** A value of a joined row, null where there is none. */
function whereMatched(expression: Expression, type: DataType, matchedBy: string): Expression {
  const isNone: Expression = {
    kind: "call",
    function: "isNull",
    args: [{ kind: "column", column_id: matchedBy }],
  };
  const none: Expression = { kind: "literal", type, value: null };
  return { kind: "call", function: "case", args: [isNone, none, expression] };
}

function compile(
  source: string,
  path: string,
  options: Parameters<typeof compileExpression>[1],
): CompiledExpression {
  try {
    return compileExpression(source, options);
  } catch (failure) {
    if (!(failure instanceof ExpressionError)) throw failure;
    throw new ApiError("MEMBER_INVALID", [path, failure.message], { cause: failure });
  }
}

function resolved(
  column: QueriedColumn | undefined,
): ResolvedColumn | { readonly problem: string } | undefined {
  if (!column) return undefined;
  if (column.expression !== undefined) return { problem: "a derived column" };
  if (column.unserved !== undefined) return { problem: column.unserved };
  return { type: valueTypes[column.type], isDate: column.subtype === "date" };
}

function literalOf({ type, value }: Extract<PortableExpression, { kind: "literal" }>): Expression {
  const dataType: DataType | "boolean" = type === "boolean" ? type : dataTypes[type];
  const isInstant = type === "datetime" && typeof value === "number";
  return {
    kind: "literal",
    type: dataType,
    value: isInstant ? new Date(value).toISOString() : value,
  };
}
