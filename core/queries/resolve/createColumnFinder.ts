import {
  aggregationDefinitions,
  type Bin,
  type Derived,
  type Expression,
  type Level,
} from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import type { FormulaAggregate } from "../expressions/index.ts";
import type { JoinedDataset } from "../boundQuery.ts";
import type { Reference, Shift } from "../parsedQuery.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import { binStart } from "./binStart.ts";
import type { BoundReference } from "./boundReference.ts";
import type { Clock } from "./clock.ts";
import { createExpressions } from "./createExpressions.ts";
import { movedBy } from "./movedBy.ts";
import { periodStart } from "./periodStart.ts";

const mostDerived = 200;

/**
 * Creates the finder for the columns of a query. It compiles each derived column once and assigns an unused id to it.
 */
export function createColumnFinder(
  datasets: readonly [QueriedDataset, ...JoinedDataset[]],
  clock: Clock,
) {
  const [root] = datasets;
  const expressions = createExpressions(datasets, clock);
  const found = new Map<string, { readonly column: QueriedColumn; readonly derived: Derived }>();
  const taken = new Set(root.source.columns.map((column) => column.id));
  const isHiding = datasets.some(({ columns, everyColumn }) => columns.size < everyColumn.size);
  /**
   * Compiles a stored expression. Messages do not repeat the compiler's errors, which may contain the names of hidden
   * columns.
   */
  const discreetly = <Compiled>(isStored: boolean, path: string, compile: () => Compiled) => {
    try {
      return compile();
    } catch (cause) {
      if (!isStored || !isHiding || !(cause instanceof ApiError)) throw cause;
      throw new ApiError(
        "MEMBER_INVALID",
        [path, "its expression cannot be computed from the columns that you may use"],
        { cause },
      );
    }
  };
  const datasetOf = ({ path, datasetId = root.id }: Reference): QueriedDataset => {
    const found = datasets.find(({ id }) => id === datasetId || id === datasetId.toLowerCase());
    if (!found) throw new TypeError(`the dataset of ${path} must be joined`);
    return found;
  };
  const freshId = (): string => {
    for (let index = found.size; ; index++)
      if (!taken.has(`derived.${index}`)) return `derived.${index}`;
  };
  const columnOf = (reference: Reference): QueriedColumn => {
    const { path, columnId, expression: inPlace } = reference;
    const dataset = inPlace === undefined ? datasetOf(reference) : undefined;
    const column = dataset && storedColumn(reference, dataset);
    const source = inPlace ?? column?.expression;
    if (column && source === undefined) return column;
    const at = inPlace === undefined ? `${path}.column_id` : `${path}.expression`;
    const key = JSON.stringify([columnId, source, dataset?.id]);
    return derivedOf(at, columnId, key, source ?? "", column?.name ?? "an expression", (id) =>
      discreetly(inPlace === undefined, at, () =>
        expressions.derived(source ?? "", id, at, dataset?.id),
      ),
    );
  };
  const derivedOf = (
    path: string,
    columnId: string,
    key: string,
    source: string,
    name: string,
    make: (id: string) => Derived,
  ): QueriedColumn => {
    const known = found.get(key);
    if (known) return known.column;
    if (found.size === mostDerived)
      throw new ApiError("MEMBER_INVALID", [
        path,
        `a query may have at most ${mostDerived} expressions and formula parts that are computed per row`,
      ]);
    const derived = make(freshId());
    taken.add(derived.id);
    const { type, subtype } = derived;
    const made = {
      id: columnId,
      pluginId: derived.id,
      name,
      type,
      subtype,
      expression: source,
      unserved: undefined,
    };
    found.set(key, { column: made, derived });
    return made;
  };
  const formulaOf = ({ path, columnId, isStored }: Reference, text: string): BoundReference => {
    const at = `${path}.formula`;
    const { type, isDate, aggregates, value } = discreetly(isStored === true, at, () =>
      expressions.formula(text, at),
    );
    return {
      columnId,
      column: undefined,
      level: undefined,
      aggregation: undefined,
      type,
      formula: {
        text,
        value,
        aggregates: aggregates.map((each) => aggregateOf(each, at)),
        ...(isDate && { isDate }),
      },
    };
  };
  const aggregateOf = (aggregate: FormulaAggregate, path: string): BoundReference => {
    const { aggregation, of, fraction, other } = aggregate;
    const whole = { columnId: "*", column: undefined, level: undefined };
    if (!of) return { ...whole, aggregation: "count", type: "numeric" };
    const { type, expression } = of;
    const source = JSON.stringify(expression);
    const column = partOf(of, path);
    return {
      columnId: column.id,
      column,
      ...(column.expression !== undefined && { expression: source }),
      level: undefined,
      aggregation,
      ...(fraction !== undefined && { fraction }),
      ...(other && { second: partOf({ type: "numeric", expression: other }, path) }),
      type: aggregationDefinitions[aggregation].result === "T" ? type : "numeric",
    };
  };
  /** Returns the column with the values of an expression inside an aggregate of a formula. */
  const partOf = (part: Pick<Derived, "type" | "expression">, path: string): QueriedColumn => {
    const source = JSON.stringify(part.expression);
    return (
      expressions.columnOf(part.expression) ??
      derivedOf(path, "", source, source, "a part of a formula", (id) => ({ id, ...part }))
    );
  };
  const expressionOf = ({ pluginId }: QueriedColumn): Expression => {
    const made = [...found.values()].find((each) => each.derived.id === pluginId);
    return made?.derived.expression ?? { kind: "column", column_id: pluginId };
  };
  /** Returns a test that is computed per row, as a column of 1 and 0. */
  const comparedOf = (path: string, expression: Expression): BoundReference => {
    const key = JSON.stringify(expression);
    const column = derivedOf(path, "", key, key, "a test of several columns", (id) => ({
      id,
      type: "numeric",
      expression,
    }));
    return { columnId: "", column, level: undefined, aggregation: undefined, type: "numeric" };
  };
  /** Returns the starts of a column's bins as a derived column, because aggregations cannot use bins. */
  const binned = (column: QueriedColumn | undefined, bin: Bin | undefined) => {
    if (!column || !bin) return column;
    const key = JSON.stringify([column.pluginId, bin]);
    const of = expressionOf(column);
    return derivedOf(column.id, column.id, key, key, column.name, (id) => ({
      id,
      type: "numeric",
      expression: binStart(of, bin),
    }));
  };
  /** Returns the starts of the periods of a date column, which no time zone shifts, as a derived column of dates. */
  const truncated = (column: QueriedColumn, level: Level): QueriedColumn => {
    const key = JSON.stringify([column.pluginId, level]);
    const expression = periodStart(expressionOf(column), level, "UTC");
    return derivedOf(column.id, column.id, key, key, column.name, (id) => ({
      id,
      type: "datetime",
      subtype: "date",
      expression,
    }));
  };
  /** Returns a datetime column moved forward on the clock of its zone, as a derived column. */
  const moved = (column: QueriedColumn, { unit, count }: Shift): QueriedColumn => {
    const { subtype } = column;
    const key = JSON.stringify([column.pluginId, unit, count]);
    const zone = subtype === "date" ? "UTC" : clock.timezone;
    const expression = movedBy(expressionOf(column), unit, count, zone);
    return derivedOf(column.id, column.id, key, key, column.name, (id) => ({
      id,
      type: "datetime",
      ...(subtype === "date" && { subtype }),
      expression,
    }));
  };
  return {
    binned,
    moved,
    truncated,
    columnOf,
    comparedOf,
    expressionOf,
    formulaOf,
    derived: () => [...found.values()].map((each) => each.derived),
  };
}

function storedColumn(reference: Reference, dataset: QueriedDataset): QueriedColumn {
  const column = dataset.columns.get(reference.columnId);
  const at = `${reference.path}.column_id`;
  if (!column)
    throw new ApiError("QUERY_UNKNOWN_COLUMN", [
      at,
      dataset.id,
      reference.columnId.slice(0, 100),
      listOf([...dataset.columns.values()]),
    ]);
  if (column.unserved !== undefined && column.expression === undefined)
    throw new ApiError("QUERY_NOT_SERVED", [at, `${labelOf(column)} is ${column.unserved}`]);
  return column;
}

function listOf(columns: readonly QueriedColumn[]): string {
  const shown = columns.slice(0, 50).map(labelOf).join(", ") || "no columns";
  return columns.length > 50 ? `${shown} and ${columns.length - 50} more` : shown;
}

/** Returns the id and the name of a column, for messages. */
export function labelOf(column: QueriedColumn): string {
  return `${column.id} (${column.name})`;
}
