import { ApiError } from "../errors.ts";
import type { PortableAggregate } from "../expressions/index.ts";
import type { Aggregation, Bin, DataType, Derived, Level } from "../../plugins/protocol/index.ts";
import type { Clock } from "./bindConditions.ts";
import { createExpressions, type CompiledFormula } from "./bindExpression.ts";
import type { QueriedColumn, QueriedDataset } from "./queriedDataset.ts";
import type { Question, Reference } from "./question.ts";
import { referencesOf } from "./references.ts";

/** A mention of a column with the column itself; `column` is undefined for the rows that `*` counts. */
export interface BoundReference {
  readonly columnId: string;
  readonly column: QueriedColumn | undefined;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  readonly expression?: string | undefined;
  readonly formula?: BoundFormula;
  readonly bins?: Bin | undefined;
  readonly fraction?: number | undefined;
  readonly weight?: QueriedColumn | undefined;
  /** Of the values: `min` and `max` keep the column's type, every other aggregation gives numbers. */
  readonly type: DataType;
}

/** A formula whose aggregates are measures of the query. */
export interface BoundFormula extends Pick<CompiledFormula, "value"> {
  readonly text: string;
  readonly aggregates: readonly BoundReference[];
}

/** Binds the mentions of one question, each in the role in which it stands there. */
export interface Binder {
  dimension(reference: Reference): BoundReference;
  measure(reference: Reference): BoundReference;
  /** A measure of raw rows: its aggregation does not count. */
  rawMeasure(reference: Reference): BoundReference;
  /** A column in `where`. */
  filtered(reference: Reference): BoundReference;
  /** The derived columns that were bound so far. */
  derived(): readonly Derived[];
  /** The time zone that every level of the question is truncated in; undefined is UTC. */
  readonly timezoneId: string | undefined;
}

const mostDerived = 200;
const ofEveryType = new Set<Aggregation>(["count", "distinctcount", "min", "max"]);
const wholeDays = new Set<Level | undefined>(["day", "hour", "minute", "second", "millisecond"]);

/**
 * Makes the binder of a question to a dataset. Columns of subtype `date` are never shifted: where other columns
 * are truncated in a time zone, their levels from day down change nothing and are left out.
 * @throws {ApiError} QUERY_NOT_SERVED when such a column is truncated to whole periods beside one that is shifted
 */
export function createBinder(question: Question, dataset: QueriedDataset, clock: Clock): Binder {
  const { columnOf, derived, formulaOf } = createColumnFinder(dataset, clock);
  const isDate = (reference: Reference) =>
    reference.columnId !== "*" && columnOf(reference).subtype === "date";
  const levelled = referencesOf(question).filter((reference) => reference.level !== undefined);
  const shifted =
    question.timezoneId !== undefined && levelled.some((reference) => !isDate(reference));
  const torn = levelled.find((reference) => isDate(reference) && !wholeDays.has(reference.level));
  if (shifted && torn)
    throw new ApiError("QUERY_NOT_SERVED", [
      `${torn.path}.level`,
      "periods of a date beside those of a datetime in a time zone; ask two queries, or leave out options.timezone_id",
    ]);

  const bind = (reference: Reference): Omit<BoundReference, "type" | "aggregation"> => {
    const { columnId, level, expression } = reference;
    if (reference.formula !== undefined)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.formula`,
        "a formula stands in measures, in having and in order of a query with groups",
      ]);
    if (columnId === "*") return { columnId, column: undefined, level: undefined };
    const column = columnOf(reference);
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
        `${role} has none; aggregations stand in measures and having`,
      ]);
    return plain(reference, role);
  };
  return {
    derived,
    timezoneId: shifted ? question.timezoneId : undefined,
    dimension: (reference) => withoutAggregation(reference, "a dimension"),
    filtered(reference) {
      refuseBins(reference, "a filter");
      return withoutAggregation(reference, "where");
    },
    rawMeasure(reference) {
      refuseBins(reference, "a measure");
      return plain(reference, "raw rows");
    },
    measure(reference) {
      if (reference.formula !== undefined) return formulaOf(reference, reference.formula);
      refuseBins(reference, "a measure");
      const bound = bind(reference);
      const aggregation = reference.aggregation ?? defaultAggregation(bound.column);
      refuseMismatch(reference, bound.column, aggregation);
      const weight = reference.weight && columnOf(reference.weight);
      if (weight && weight.type !== "numeric")
        throw new ApiError("MEMBER_INVALID", [
          `${reference.path}.aggregation.column_id`,
          `${label(weight)} is ${weight.type}; only numeric columns are weights`,
        ]);
      const keepsType = aggregation === "min" || aggregation === "max";
      return {
        ...bound,
        aggregation,
        fraction: reference.fraction,
        weight,
        type: keepsType && bound.column ? bound.column.type : "numeric",
      };
    },
  };
}

function bindBins({ path, bins }: Reference, column: QueriedColumn): Bin | undefined {
  if (!bins) return undefined;
  if (column.type !== "numeric")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.discretization`,
      `${label(column)} is ${column.type}; only numeric columns have bins`,
    ]);
  if ("count" in bins) throw new TypeError(`the bins of ${path} were not settled`);
  return bins;
}

function refuseBins({ path, bins }: Reference, role: string): void {
  if (bins)
    throw new ApiError("QUERY_NOT_SERVED", [
      `${path}.discretization`,
      `bins of ${role}; dimensions have bins`,
    ]);
}

/** What a measure without aggregation asks: the sum of numbers, the count of anything else. */
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
      `${label(column)} is ${column.type}; ${aggregation} takes numeric columns, all take ${[...ofEveryType].join(", ")}`,
    ]);
}

/** Finds the columns of a question by its mentions; each derived column is compiled once and has an id that no column has. */
function createColumnFinder(dataset: QueriedDataset, clock: Clock) {
  const expressions = createExpressions(dataset, clock);
  const found = new Map<string, { readonly column: QueriedColumn; readonly derived: Derived }>();
  const taken = new Set(dataset.source.columns.map((column) => column.id));
  const freshId = (): string => {
    for (let index = found.size; ; index++)
      if (!taken.has(`derived.${index}`)) return `derived.${index}`;
  };
  const columnOf = (reference: Reference): QueriedColumn => {
    const { path, columnId, expression: inPlace } = reference;
    const column = inPlace === undefined ? storedColumn(reference, dataset) : undefined;
    const source = inPlace ?? column?.expression;
    if (column && source === undefined) return column;
    const at = inPlace === undefined ? `${path}.column_id` : `${path}.expression`;
    return derivedOf(at, columnId, source ?? "", column?.name ?? "an expression", (id) =>
      expressions.derived(source ?? "", id, at),
    );
  };
  const derivedOf = (
    path: string,
    columnId: string,
    source: string,
    name: string,
    make: (id: string) => Derived,
  ): QueriedColumn => {
    const key = JSON.stringify([columnId, source]);
    const known = found.get(key);
    if (known) return known.column;
    if (found.size === mostDerived)
      throw new ApiError("MEMBER_INVALID", [
        path,
        `a query has at most ${mostDerived} expressions and parts of formulas that are computed per row`,
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
  const formulaOf = ({ path, columnId }: Reference, text: string): BoundReference => {
    const at = `${path}.formula`;
    const { type, aggregates, value } = expressions.formula(text, at);
    return {
      columnId,
      column: undefined,
      level: undefined,
      aggregation: undefined,
      type,
      formula: { text, value, aggregates: aggregates.map((each) => aggregateOf(each, at)) },
    };
  };
  const aggregateOf = (aggregate: PortableAggregate, path: string): BoundReference => {
    const { function: name, of, fraction } = aggregate;
    const whole = { columnId: "*", column: undefined, level: undefined };
    if (name === "rows" || !of) return { ...whole, aggregation: "count", type: "numeric" };
    if (of.type === "boolean")
      throw new ApiError("QUERY_NOT_SERVED", [
        path,
        `${name} of a test; write ${name}(if(test, 1))`,
      ]);
    const type = dataTypes[of.type];
    const source = JSON.stringify(of);
    const column =
      expressions.columnOf(of) ??
      derivedOf(path, "", source, "a part of a formula", (id) => ({
        id,
        type,
        expression: expressions.toExpression(of),
      }));
    return {
      columnId: column.id,
      column,
      ...(column.expression !== undefined && { expression: source }),
      level: undefined,
      aggregation: name,
      ...(fraction !== undefined && { fraction }),
      type: name === "min" || name === "max" ? type : "numeric",
    };
  };
  return {
    columnOf,
    formulaOf,
    derived: () => [...found.values()].map((each) => each.derived),
  };
}

const dataTypes = { number: "numeric", text: "hierarchy", datetime: "datetime" } as const;

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
