import { ApiError } from "../errors.ts";
import {
  compileExpression,
  evaluate,
  ExpressionError,
  type CompiledExpression,
  type PortableAggregate,
  type PortableExpression,
  type ResolvedColumn,
} from "../expressions/index.ts";
import type { DataType, Derived, Expression } from "../../plugins/protocol/index.ts";
import type { Clock } from "./bindConditions.ts";
import type { QueriedColumn, QueriedDataset } from "./queriedDataset.ts";

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
   * Compiles a derived column over the columns of the dataset that the caller may name.
   * @throws {ApiError} MEMBER_INVALID with line and column, and what was expected there
   */
  derived(source: string, id: string, path: string): Derived;
  /** Compiles a formula over the same columns. @throws {ApiError} MEMBER_INVALID */
  formula(source: string, path: string): CompiledFormula;
  /** The column that a tree is, undefined when it is anything else. */
  columnOf(tree: PortableExpression): QueriedColumn | undefined;
  toExpression(tree: PortableExpression): Expression;
}

/**
 * Makes the compiler of a question's expressions. `now` and `today` become the instant of the request, so that the same rows give
 * the same value everywhere.
 */
export function createExpressions(dataset: QueriedDataset, clock: Clock): Expressions {
  const find = ({ datasetId, columnId }: Reference): QueriedColumn | undefined => {
    if (datasetId !== dataset.id && datasetId.toLowerCase() !== dataset.id) return undefined;
    return dataset.columns.get(columnId) ?? dataset.columns.get(columnId.toLowerCase());
  };
  const compileAs = (kind: "column" | "formula", source: string, path: string) =>
    compile(source, path, {
      kind,
      timezone: clock.timezone,
      resolve: (reference) => resolved(find(reference)),
    });
  const toExpression = (tree: PortableExpression, results: readonly string[] = []): Expression => {
    switch (tree.kind) {
      case "column":
        return { kind: "column", column_id: find(tree)?.pluginId ?? tree.columnId };
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
    derived(source, id, path) {
      const compiled = compileAs("column", source, path);
      return {
        id,
        type: dataTypes[compiled.type],
        ...(compiled.isDate && { subtype: "date" as const }),
        expression: toExpression(compiled.value),
      };
    },
    formula(source, path) {
      const { type, aggregates, value } = compileAs("formula", source, path);
      return {
        type: dataTypes[type],
        aggregates,
        value: (columnIds) => toExpression(value, columnIds),
      };
    },
    columnOf: (tree) => (tree.kind === "column" ? find(tree) : undefined),
    toExpression: (tree) => toExpression(tree),
  };
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
