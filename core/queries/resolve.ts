import { ApiError } from "../errors.ts";
import type {
  Bin,
  DataType,
  Expression,
  Filter,
  Having,
  Order,
  Query,
  QueryColumn,
} from "../../plugins/protocol/index.ts";
import { bindConditions, type Clock } from "./bindConditions.ts";
import { createBinder, defaultAggregation, type BoundReference } from "./bindReference.ts";
import type { QueryLimits } from "./limits.ts";
import { memberPath } from "./members.ts";
import type { FindDataset, QueriedDataset } from "./queriedDataset.ts";
import type { Bins, Question, Reference } from "./question.ts";
import { referencesOf } from "./references.ts";

/** A value of each group. */
export interface Formula {
  readonly type: DataType;
  readonly expression: Expression;
}

/** A query with everything looked up. */
export interface BoundQuery {
  readonly dataset: QueriedDataset;
  /**
   * The whole question in the plugin's own ids: each column once, those without aggregation first;
   * `order` names every key, so that answers are deterministic; `limit` holds the cap on rows too.
   */
  readonly query: Query;
  /** Values that are computed of `query.columns`, which they name by their indexes; `having`, `order` and `cells` count on with them. */
  readonly formulas: readonly Formula[];
  /** The types of the values of `query.columns`. */
  readonly types: readonly DataType[];
  /** Per cell of an answer row the index of its column in `query.columns`. */
  readonly cells: readonly number[];
  /** The caller set a limit; without it `query.limit` only caps the answer. */
  readonly limited: boolean;
}

/**
 * Looks up what a question names: the dataset by the caller's right to read it, columns by id,
 * values by the types of their columns, relative tests by `nowMs`. What `order` leaves open is settled by all further keys,
 * ascending; in raw rows every column is a key.
 * @throws {ApiError} RECORD_NOT_FOUND, QUERY_UNKNOWN_COLUMN, QUERY_NOT_SERVED, MEMBER_INVALID, MEMBER_MISSING
 */
export async function resolve(
  question: Question,
  findDataset: FindDataset,
  limits: QueryLimits,
  nowMs: number,
): Promise<BoundQuery> {
  const having = memberPath(question.path, "having");
  if (!question.rollup && question.having.length > 0)
    throw new ApiError("MEMBER_INVALID", [
      having,
      "raw rows have no groups; filter in where, or leave out options.rollup_data",
    ]);
  const dataset = await theDataset(question, findDataset);
  const clock: Clock = { nowMs, timezone: question.timezoneId ?? "UTC" };
  const bind = createBinder(question, dataset, clock);
  const dimensions = question.dimensions.map(bind.dimension);
  const measures = question.measures.map(question.rollup ? bind.measure : bind.rawMeasure);
  const selected = [...dimensions, ...measures];
  const outputs = createOutputs();
  const keyCount = Math.max(-1, ...(question.rollup ? dimensions : selected).map(outputs.add)) + 1;
  const cells = selected.map(outputs.add);
  const query: Query = {
    id: dataset.source.id,
    columns: outputs.columns,
    filters: bindConditions(
      question.where,
      bind.filtered,
      (reference, expression, value): Filter => ({
        column_id: pluginIdOf(reference),
        ...(reference.level && { level: reference.level }),
        expression,
        ...(value && { value }),
      }),
      clock,
    ),
    having: bindConditions(
      question.having,
      (reference) =>
        refuseRunning(
          reference.aggregation || reference.formula !== undefined
            ? bind.measure(reference)
            : matchSelected(reference, selected),
          reference,
          "having tests the groups that are then added up",
        ),
      (reference, expression, value): Having => ({
        column: outputs.add(reference),
        expression,
        ...(value && { value }),
      }),
      clock,
    ),
    order: completeOrder(
      question.order.map((item) => {
        const wanted = question.rollup ? item.reference : withoutAggregation(item.reference);
        const match = matchSelected(wanted, selected);
        refuseRunning(match, wanted, "it is added up in the order of the answer");
        return { column: outputs.add(match), order: item.order };
      }),
      keyCount,
    ),
    limit: {
      by: Math.min(question.limit?.by ?? Infinity, limits.answerRowCount + 1),
      offset: question.limit?.offset ?? 0,
    },
    options: {
      pushdown: question.rollup,
      ...(bind.timezoneId && { timezone_id: bind.timezoneId }),
      query_timeout: limits.timeoutMs,
    },
  };
  const derived = bind.derived();
  // Formulas come after all columns, whose number is known now.
  const placeOf = (index: number) => (index < 0 ? outputs.columns.length - 1 - index : index);
  const placed: Query = {
    ...query,
    ...(derived.length > 0 && { derived }),
    having: (query.having ?? []).map((test) => placedHaving(test, placeOf)),
    order: (query.order ?? []).map((item) => ({ ...item, column: placeOf(item.column) })),
  };
  if (outputs.columns.length > limits.columnCount)
    throw new ApiError("MEMBER_INVALID", [
      having,
      `a query has at most ${limits.columnCount} columns, these included`,
    ]);
  return {
    dataset,
    query: placed,
    formulas: outputs.formulas,
    types: outputs.types,
    cells: cells.map(placeOf),
    limited: question.limit !== undefined,
  };
}

function placedHaving(test: Having, placeOf: (index: number) => number): Having {
  if ("and" in test) return { and: test.and.map((each) => placedHaving(each, placeOf)) };
  if ("or" in test) return { or: test.or.map((each) => placedHaving(each, placeOf)) };
  return { ...test, column: placeOf(test.column) };
}

async function theDataset(question: Question, findDataset: FindDataset): Promise<QueriedDataset> {
  const references = referencesOf(question);
  const first = references.find((reference) => reference.datasetId !== undefined);
  if (first?.datasetId === undefined)
    throw new ApiError("MEMBER_MISSING", [
      `${references[0]?.path}.dataset_id`,
      "the dataset whose rows are counted",
    ]);
  const other = references.find(
    (reference) => (reference.datasetId ?? first.datasetId) !== first.datasetId,
  );
  if (other)
    throw new ApiError("QUERY_NOT_SERVED", [
      `${other.path}.dataset_id`,
      "several datasets in one query; ask one query per dataset",
    ]);
  const dataset = await findDataset(first.datasetId, `${first.path}.dataset_id`);
  if (dataset.source.columns.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      `${first.path}.dataset_id`,
      "the dataset has no columns",
    ]);
  return dataset;
}

function withoutAggregation(reference: Reference): Reference {
  const { fraction: _, weight: __, ...plain } = reference;
  return { ...plain, aggregation: undefined };
}

/** Refuses a cumulative sum where the rows of the answer, and with them its value, are not settled yet. */
function refuseRunning(bound: BoundReference, { path }: Reference, why: string): BoundReference {
  if (bound.aggregation === "cumulativesum")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${why}; use the aggregation sum here instead of cumulativesum`,
    ]);
  return bound;
}

/** Finds the dimension or measure that an order or having item means: level and aggregation as given, else what only one fits. */
function matchSelected(wanted: Reference, selected: readonly BoundReference[]): BoundReference {
  const same = selected.filter(
    (each) =>
      each.columnId === wanted.columnId &&
      each.formula?.text === wanted.formula &&
      (wanted.expression === undefined || each.expression === wanted.expression),
  );
  const aggregations = [
    wanted.aggregation,
    wanted.aggregation ?? defaultAggregation(same[0]?.column),
  ];
  const fitting = same
    .filter((each) => wanted.level === undefined || each.level === wanted.level)
    .filter((each) => wanted.aggregation === undefined || each.aggregation === wanted.aggregation)
    .filter((each) => !wanted.bins || isSame(each.bins, wanted.bins))
    .filter((each) => wanted.fraction === undefined || each.fraction === wanted.fraction)
    .filter((each) => wanted.weight === undefined || each.weight?.id === wanted.weight.columnId);
  const exact = aggregations.flatMap((aggregation) =>
    fitting.filter(
      (each) =>
        each.level === wanted.level &&
        each.aggregation === aggregation &&
        each.expression === wanted.expression,
    ),
  );
  const isOne = fitting.every((each) => keyOf(each) === keyOf(fitting[0]));
  const match = exact[0] ?? (isOne ? fitting[0] : undefined);
  if (match) return match;
  throw new ApiError("MEMBER_INVALID", [
    wanted.path,
    fitting.length > 0
      ? `the column ${wanted.columnId} stands in several dimensions or measures; add level or aggregation`
      : `the column ${wanted.columnId.slice(0, 100)}, with this level and aggregation, is no dimension or measure of the query`,
  ]);
}

function keyOf(reference: BoundReference | undefined): string {
  const { columnId, expression, level, bins, aggregation, fraction, weight } = reference ?? {};
  const { width, origin } = bins ?? {};
  const formula = reference?.formula?.text;
  return JSON.stringify([
    columnId,
    expression,
    level,
    width,
    origin,
    aggregation,
    fraction,
    weight?.id,
    formula,
  ]);
}

function isSame(bins: Bin | undefined, wanted: Bins): boolean {
  return "width" in wanted && bins?.width === wanted.width && bins.origin === wanted.origin;
}

/** Collects the distinct columns of the question to the plugin, from 0 on, and the formulas over them, from -1 down. */
function createOutputs() {
  const columns: QueryColumn[] = [];
  const types: DataType[] = [];
  const formulas: Formula[] = [];
  const indexes = new Map<string, number>();
  const add = (reference: BoundReference): number => {
    const known = indexes.get(keyOf(reference));
    if (known !== undefined) return known;
    if (reference.formula) {
      const { aggregates, value } = reference.formula;
      const expression = value(aggregates.map((each) => String(add(each))));
      const index = -formulas.push({ type: reference.type, expression });
      indexes.set(keyOf(reference), index);
      return index;
    }
    indexes.set(keyOf(reference), columns.length);
    types.push(reference.type);
    return columns.push(outputColumn(reference)) - 1;
  };
  return { add, columns, formulas, types };
}

function pluginIdOf({ column }: BoundReference): string {
  return column?.pluginId ?? "*";
}

function outputColumn(reference: BoundReference): QueryColumn {
  const { column } = reference;
  return {
    column_id: pluginIdOf(reference),
    ...(column?.expression !== undefined && { type: column.type }),
    ...(reference.level && { level: reference.level }),
    ...(reference.bins && { bin: reference.bins }),
    ...(reference.aggregation && { aggregation: reference.aggregation }),
    ...(reference.fraction !== undefined && { fraction: reference.fraction }),
    ...(reference.weight && { weight: reference.weight.pluginId }),
  };
}

function completeOrder(requested: readonly Order[], keyCount: number): readonly Order[] {
  const keys = Array.from({ length: keyCount }, (_, column): Order => ({ column, order: "asc" }));
  const order = new Map<number, Order>();
  for (const item of [...requested, ...keys])
    if (!order.has(item.column)) order.set(item.column, item);
  return keyCount > 0 ? [...order.values()] : [];
}
