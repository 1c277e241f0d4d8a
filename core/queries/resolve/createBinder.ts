import type { BoundReference } from "./boundReference.ts";
import { ApiError } from "../../errors.ts";
import type { FormulaAggregate } from "../../expressions/index.ts";
import type {
  Aggregation,
  Bin,
  Derived,
  Expression,
  Level,
} from "../../../plugins/protocol/index.ts";
import { binStart } from "./binStart.ts";
import type { Clock } from "./clock.ts";
import { createExpressions } from "./createExpressions.ts";
import type { JoinedDataset } from "../boundQuery.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import { compareColumns, type Compared } from "./compareColumns.ts";
import type { ColumnTest, ParsedQuery, Reference } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";

/** Binds the mentions of one query, by the clause in which each is used. */
export interface Binder {
  dimension(reference: Reference): BoundReference;
  measure(reference: Reference): BoundReference;
  /** A measure of raw rows, whose aggregation is ignored. */
  rawMeasure(reference: Reference): BoundReference;
  /** A column in `where`. */
  filtered(reference: Reference): BoundReference;
  /** A test of several columns in `where`, as a derived column. */
  compared(test: ColumnTest): BoundReference;
  /** The derived columns that are bound so far. */
  derived(): readonly Derived[];
  /** The time zone of all levels; undefined is UTC. */
  readonly timezoneId: string | undefined;
}

const mostDerived = 200;
const ofEveryType = new Set<Aggregation>(["count", "distinctcount", "min", "max"]);
const wholeDays = new Set<Level | undefined>(["day", "hour", "minute", "second", "millisecond"]);

/**
 * Makes the binder of a query over its datasets, the root first.
 * Columns of subtype `date` are never shifted. When other columns are truncated in a time zone,
 * levels of a date from day down change nothing and are dropped.
 * @throws {ApiError} QUERY_NOT_SERVED for a date truncated to longer periods beside a column that is shifted
 */
export function createBinder(
  parsed: ParsedQuery,
  datasets: readonly [QueriedDataset, ...JoinedDataset[]],
  clock: Clock,
): Binder {
  const { binned, columnOf, comparedOf, derived, expressionOf, formulaOf } = createColumnFinder(
    datasets,
    clock,
  );
  const isDate = (reference: Reference) =>
    reference.columnId !== "*" && columnOf(reference).subtype === "date";
  const levelled = referencesOf(parsed).filter(
    (reference) =>
      reference.level !== undefined &&
      reference.columnId !== "*" &&
      columnOf(reference).type === "datetime",
  );
  const shifted =
    parsed.timezoneId !== undefined && levelled.some((reference) => !isDate(reference));
  const torn = levelled.find((reference) => isDate(reference) && !wholeDays.has(reference.level));
  if (shifted && torn)
    throw new ApiError("QUERY_NOT_SERVED", [
      `${torn.path}.level`,
      "periods of a date column cannot be combined with periods of a datetime column in a time zone; send two queries, or leave out options.timezone_id",
    ]);

  const bind = (reference: Reference): Omit<BoundReference, "type" | "aggregation"> => {
    const { columnId, level, expression } = reference;
    if (reference.formula !== undefined)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.formula`,
        "a formula can only be used in measures, having and order of a query with groups",
      ]);
    if (columnId === "*") return { columnId, column: undefined, level: undefined };
    const column = columnOf(reference);
    if (level && column.type === "hierarchy")
      return { columnId, column, expression, level: undefined, askedLevel: level };
    if (level && column.type !== "datetime")
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.level`,
        `${label(column)} is ${column.type}; only datetime columns have levels`,
      ]);
    return {
      columnId,
      column,
      expression,
      level: shifted && column.subtype === "date" ? undefined : level,
      askedLevel: level,
    };
  };
  const plain = (reference: Reference, role: string): BoundReference => {
    const bound = bind(reference);
    if (!bound.column)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.column_id`,
        `"*" is only for the measure count, not for ${role}`,
      ]);
    return {
      ...bound,
      bins: bindBins(reference, bound.column),
      aggregation: undefined,
      type: bound.column.type,
    };
  };
  const withoutAggregation = (reference: Reference, role: string): BoundReference => {
    if (reference.aggregation)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.aggregation`,
        `${role} takes no aggregation; use aggregations in measures and having`,
      ]);
    return plain(reference, role);
  };
  const weightOf = (reference: Reference): Pick<BoundReference, "weight" | "weightBins"> => {
    const column = columnOf(reference);
    if (column.type !== "numeric")
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.column_id`,
        `${label(column)} is ${column.type}; only numeric columns can be weights`,
      ]);
    const weightBins = bindBins(reference, column);
    return { weight: binned(column, weightBins), weightBins };
  };
  const filtered = (reference: Reference) => withoutAggregation(reference, "where");
  const sideOf = (reference: Reference): Compared => {
    const { column: whole, bins, askedLevel } = filtered(reference);
    const column = binned(whole, bins);
    if (!column) throw new TypeError(`${reference.path} is bound to no column`);
    const timezone = column.subtype === "date" ? "UTC" : clock.timezone;
    const expression = expressionOf(column);
    return {
      type: column.type,
      label: label(column),
      expression:
        askedLevel && column.type === "datetime"
          ? periodStart(expression, askedLevel, timezone)
          : expression,
    };
  };
  return {
    derived,
    filtered,
    compared: (test) =>
      comparedOf(
        test.path,
        compareColumns(
          test,
          test.operands.map((each) => ("reference" in each ? sideOf(each.reference) : each)),
        ),
      ),
    timezoneId: shifted ? parsed.timezoneId : undefined,
    dimension: (reference) => withoutAggregation(reference, "a dimension"),
    rawMeasure: (reference) => plain(reference, "raw rows"),
    measure(reference) {
      if (reference.formula !== undefined) return formulaOf(reference, reference.formula);
      const { column: whole, ...rest } = bind(reference);
      const bins = bindBins(reference, whole);
      const bound = { ...rest, bins, column: binned(whole, bins) };
      const aggregation = reference.aggregation ?? defaultAggregation(bound.column);
      refuseMismatch(reference, bound.column, aggregation);
      const keepsType = aggregation === "min" || aggregation === "max";
      return {
        ...bound,
        aggregation,
        fraction: reference.fraction,
        ...(reference.weight && weightOf(reference.weight)),
        type: keepsType && bound.column ? bound.column.type : "numeric",
      };
    },
  };
}

function bindBins({ path, bins }: Reference, column: QueriedColumn | undefined): Bin | undefined {
  if (!bins) return undefined;
  if (column?.type !== "numeric")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.discretization`,
      column
        ? `${label(column)} is ${column.type}; only numeric columns have bins`
        : '"*" has no bins; leave it out',
    ]);
  if (!("count" in bins)) return bins;
  throw new ApiError("MEMBER_INVALID", [
    `${path}.discretization.bins`,
    "the width of these bins depends on the filtered rows, so a filter cannot use them; give size, or give over together with bins",
  ]);
}

/** Returns the aggregation of a measure without one: the sum of numbers, else the count. */
export function defaultAggregation(column: QueriedColumn | undefined): Aggregation {
  return column?.type === "numeric" ? "sum" : "count";
}

function refuseMismatch(
  reference: Reference,
  column: QueriedColumn | undefined,
  aggregation: Aggregation,
): void {
  const at = `${reference.path}.aggregation`;
  if (!column && aggregation !== "count")
    throw new ApiError("MEMBER_INVALID", [at, `"*" can only be counted, not ${aggregation}`]);
  if (column && column.type !== "numeric" && !ofEveryType.has(aggregation))
    throw new ApiError("MEMBER_INVALID", [
      at,
      `${label(column)} is ${column.type}; ${aggregation} takes numeric columns only. Every column takes ${[...ofEveryType].join(", ")}`,
    ]);
}

/** Finds the columns of a query. Each derived column is compiled once and gets an unused id. */
function createColumnFinder(datasets: readonly [QueriedDataset, ...JoinedDataset[]], clock: Clock) {
  const [root] = datasets;
  const expressions = createExpressions(datasets, clock);
  const found = new Map<string, { readonly column: QueriedColumn; readonly derived: Derived }>();
  const taken = new Set(root.source.columns.map((column) => column.id));
  const isHiding = datasets.some(({ columns, everyColumn }) => columns.size < everyColumn.size);
  /** Compiles a stored text, whose errors may name columns that are hidden from the caller. */
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
    if (!found) throw new TypeError(`the dataset of ${path} was not joined`);
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
        `a query may have at most ${mostDerived} expressions and parts of formulas that are computed for each row`,
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
    const { type, aggregates, value } = discreetly(isStored === true, at, () =>
      expressions.formula(text, at),
    );
    return {
      columnId,
      column: undefined,
      level: undefined,
      aggregation: undefined,
      type,
      formula: { text, value, aggregates: aggregates.map((each) => aggregateOf(each, at)) },
    };
  };
  const aggregateOf = (aggregate: FormulaAggregate, path: string): BoundReference => {
    const { aggregation, of, fraction } = aggregate;
    const whole = { columnId: "*", column: undefined, level: undefined };
    if (!of) return { ...whole, aggregation: "count", type: "numeric" };
    const { type, expression } = of;
    const source = JSON.stringify(expression);
    const column =
      expressions.columnOf(expression) ??
      derivedOf(path, "", source, source, "a part of a formula", (id) => ({
        id,
        type,
        expression,
      }));
    return {
      columnId: column.id,
      column,
      ...(column.expression !== undefined && { expression: source }),
      level: undefined,
      aggregation,
      ...(fraction !== undefined && { fraction }),
      type: aggregation === "min" || aggregation === "max" ? type : "numeric",
    };
  };
  const expressionOf = ({ pluginId }: QueriedColumn): Expression => {
    const made = [...found.values()].find((each) => each.derived.id === pluginId);
    return made?.derived.expression ?? { kind: "column", column_id: pluginId };
  };
  /** A test that is computed per row, as a column of 1 and 0. */
  const comparedOf = (path: string, expression: Expression): BoundReference => {
    const key = JSON.stringify(expression);
    const column = derivedOf(path, "", key, key, "a test of several columns", (id) => ({
      id,
      type: "numeric",
      expression,
    }));
    return { columnId: "", column, level: undefined, aggregation: undefined, type: "numeric" };
  };
  /** The starts of the bins of a column, as a derived column: aggregations take no bins. */
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
  return {
    binned,
    columnOf,
    comparedOf,
    expressionOf,
    formulaOf,
    derived: () => [...found.values()].map((each) => each.derived),
  };
}

/** The start of the period of a datetime. */
function periodStart(value: Expression, level: Level, timezone: string): Expression {
  const literal = (text: string): Expression => ({
    kind: "literal",
    type: "hierarchy",
    value: text,
  });
  return {
    kind: "call",
    function: "dateTrunc",
    args: [literal(level), value, literal(timezone)],
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
    throw new ApiError("QUERY_NOT_SERVED", [at, `${label(column)} is ${column.unserved}`]);
  return column;
}

function listOf(columns: readonly QueriedColumn[]): string {
  const shown = columns.slice(0, 50).map(label).join(", ") || "no columns";
  return columns.length > 50 ? `${shown} and ${columns.length - 50} more` : shown;
}

function label(column: QueriedColumn): string {
  return `${column.id} (${column.name})`;
}
