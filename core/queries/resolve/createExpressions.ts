import { ApiError } from "../../base/index.ts";
import {
  compileExpression,
  ExpressionError,
  type CompiledExpression,
  type FormulaAggregate,
  type ResolvedColumn,
} from "../expressions/index.ts";
import {
  mapColumns,
  type DataType,
  type Derived,
  type Expression,
} from "../../../plugins/protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";

type Reference = Parameters<Parameters<typeof compileExpression>[1]["resolve"]>[0];

/**
 * A compiled formula: the aggregates that it reads, and a function that returns the formula's expression, given the
 * columns that contain the results of these aggregates.
 */
export interface CompiledFormula {
  readonly type: DataType;
  /** Whether the values are calendar dates. */
  readonly isDate: boolean;
  readonly aggregates: readonly FormulaAggregate[];
  value(columnIds: readonly string[]): Expression;
}

export interface Expressions {
  /**
   * Compiles a derived column over the columns that the caller may use, either of all datasets or of one dataset. A
   * derived column of a joined dataset is null in rows without a match.
   * @throws {ApiError} MEMBER_INVALID with line, column and the expected syntax or value
   */
  derived(source: string, id: string, path: string, datasetId?: string): Derived;
  /**
   * Compiles a formula over the columns that the caller may use, including derived columns.
   * @throws {ApiError} MEMBER_INVALID
   */
  formula(source: string, path: string): CompiledFormula;
  /** Returns the stored column that a formula aggregates directly; undefined if the value is computed. */
  columnOf(expression: Expression): QueriedColumn | undefined;
}

/** The parts of a dataset that expressions use. */
export interface ExpressionScope extends Pick<QueriedDataset, "id" | "roleOf" | "columns"> {
  /** For a joined dataset, the query's id of the column that is null in rows without a match. */
  readonly matchedBy?: string;
}

/**
 * Creates the compiler of a query's expressions. `now` and `today` are the instant of the call, so that equal rows have
 * equal values.
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
  /** Stored columns that formulas aggregate directly, by the expressions that read them. */
  const storedColumns = new Map<Expression, QueriedColumn>();
  /** Derived columns in formulas, which are compiled once. */
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
      get nowMs() {
        return clock.nowMs;
      },
      resolve: (reference) => {
        const found = findIn(reference, among);
        if (!found) return undefined;
        const { dataset, column } = found;
        if (kind === "column") return resolved(column);
        if (column.expression === undefined) {
          const stored = resolved(column);
          if ("expression" in stored) storedColumns.set(stored.expression, column);
          return stored;
        }
        const { type, subtype, expression } = derivedColumn(dataset, column, path);
        return { type, isDate: subtype === "date", expression };
      },
    });
  /** Compiles a derived column. @throws {ApiError} MEMBER_INVALID if it cannot be computed */
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
      const why = `the derived column ${column.id} (${column.name}) cannot be computed; validate the column to see why`;
      throw new ApiError("MEMBER_INVALID", [path, why], { cause });
    }
  };
  const derivedOf = (
    source: string,
    path: string,
    own: ExpressionScope | undefined,
  ): Omit<Derived, "id"> => {
    // A stored expression names its dataset without a role.
    const among = own && [{ ...own, id: own.roleOf ?? own.id }];
    const { type, isDate, value } = compileAs("column", source, path, among);
    return {
      type,
      ...(isDate && { subtype: "date" as const }),
      expression: own?.matchedBy === undefined ? value : whereMatched(value, type, own.matchedBy),
    };
  };
  return {
    derived(source, id, path, datasetId) {
      const own = datasets.find((dataset) => dataset.id === datasetId);
      return { id, ...derivedOf(source, path, own) };
    },
    formula(source, path) {
      const { type, isDate, aggregates, value } = compileAs("formula", source, path);
      return {
        type,
        isDate,
        aggregates,
        value: (columnIds) =>
          mapColumns(value, (index) => {
            const columnId = columnIds[Number(index)];
            if (columnId === undefined)
              throw new TypeError(`the formula must have an aggregate ${index}`);
            return { kind: "column", column_id: columnId };
          }),
      };
    },
    columnOf: (expression) => storedColumns.get(expression),
  };
}

/** Returns the value of a joined row, or null in rows without a match. */
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

function resolved(column: QueriedColumn): Required<ResolvedColumn> | { readonly problem: string } {
  if (column.expression !== undefined) return { problem: "a derived column" };
  if (column.unserved !== undefined) return { problem: column.unserved };
  const { type, subtype, pluginId } = column;
  return { type, isDate: subtype === "date", expression: { kind: "column", column_id: pluginId } };
}
