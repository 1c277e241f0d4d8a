import {
  aggregationDefinitions,
  aggregations,
  operators,
  type Aggregation,
} from "../../plugins/protocol/index.ts";
import {
  awkwardColumns,
  awkwardType,
  awkwardZones,
  randomAwkwardValue,
  type AwkwardColumn,
} from "../support/awkward.ts";
import type { Random } from "../support/random.ts";

/** A query in the API's form, as data, so that a failing query can be reduced. */
export interface AwkwardQuery {
  readonly dimensions: readonly object[];
  readonly measures: readonly object[];
  readonly where: readonly object[];
  readonly having: readonly object[];
  readonly order: readonly object[];
  readonly limit?: {
    readonly by: number;
    readonly offset: number;
    readonly per?: readonly object[];
  };
  readonly options: Readonly<Record<string, unknown>>;
}

const textOperators = /like|with/;
const comparisons = /^[<>]/;
/** Kinds of columns whose aggregations have exact cells. For other kinds, the last bits may differ. */
const exactKinds = new Set(["whole", "double"]);

/** Returns a random query of the dataset `D` over awkward columns. */
export function randomAwkwardQuery(
  random: Random,
  columns: readonly AwkwardColumn[] = awkwardColumns,
): AwkwardQuery {
  const isGrouped = random.chance(0.75);
  const dimensions = random.some(columns, 0.25).map((column) => dimension(column, random));
  const drawn = Array.from({ length: random.below(3) + (dimensions.length === 0 ? 1 : 0) }, () =>
    measure(random, isGrouped, columns),
  );
  const measures = drawn.map(({ reference }) => reference);
  const exact = drawn.filter(({ isExact }) => isExact);
  return {
    dimensions,
    measures,
    where: random.chance(0.65)
      ? Array.from({ length: 1 + random.below(2) }, () => condition(random, columns))
      : [],
    having:
      isGrouped && random.chance(0.3)
        ? exact.map(({ reference, tested }) => test(reference, tested, random))
        : [],
    order: random
      .some([...dimensions, ...exact.map(({ reference }) => reference)], 0.5)
      .map((item) => Object.assign({ order: random.pick(["asc", "desc"]) }, item)),
    ...(random.chance(0.4) &&
      exact.length === drawn.length && {
        limit:
          dimensions.length > 0 && random.chance(0.4)
            ? { by: 1 + random.below(3), offset: random.below(2), per: [random.pick(dimensions)] }
            : { by: random.below(12), offset: random.below(4) },
      }),
    options: {
      rollup_data: isGrouped,
      timezone_id: random.chance(0.5) ? random.pick(awkwardZones) : "UTC",
    },
  };
}

function referenceTo({ id }: AwkwardColumn) {
  return { column_id: id, dataset_id: "D" };
}

function dimension(column: AwkwardColumn, random: Random): object {
  const isNumber = awkwardType(column) === "numeric";
  return {
    ...referenceTo(column),
    ...levelOf(column, random, 0.75),
    ...(isNumber && random.chance(0.4) && { discretization: bins(random) }),
  };
}

function levelOf({ kind }: AwkwardColumn, random: Random, share: number): object {
  if (kind !== "datetime" && kind !== "date") return {};
  if (!random.chance(share)) return {};
  return { level: 1 + random.below(kind === "date" ? 5 : 9) };
}

function bins(random: Random): object {
  return { type: "linear", size: random.pick([1, 2, 3, 1000, 0.5]) };
}

interface DrawnMeasure {
  readonly reference: object;
  /**
   * Whether the cells have the same bits on every engine. Only then may queries use them to filter and to limit rows.
   */
  readonly isExact: boolean;
  /** The column whose values the filters contain. */
  readonly tested: AwkwardColumn;
}

const counted: AwkwardColumn = { id: "count", kind: "whole" };

function measure(
  random: Random,
  isGrouped: boolean,
  columns: readonly AwkwardColumn[],
): DrawnMeasure {
  if (isGrouped && random.chance(0.15))
    return {
      reference: { column_id: "*", dataset_id: "D", aggregation: { type: "count" } },
      isExact: true,
      tested: counted,
    };
  const column = random.pick(columns);
  if (!isGrouped)
    return {
      reference: { ...referenceTo(column), ...levelOf(column, random, 0.4) },
      isExact: true,
      tested: column,
    };
  const isNumber = awkwardType(column) === "numeric";
  const type: Aggregation = random.pick(
    aggregations.filter((name) => {
      // Standard deviations and correlations lose precision for numbers that are large compared to their spread, and so
      // do averages with weights of both signs.
      if (name === "stddev" || name === "weightedaverage" || name === "corr")
        return exactKinds.has(column.kind);
      return isNumber || aggregationDefinitions[name].argument === "any";
    }),
  );
  const { empty, result, takes } = aggregationDefinitions[type];
  const isExtreme = result === "T";
  const isCount = empty === 0;
  const more = {
    ...(takes === "fraction" && { fraction: random.pick([0, 0.25, 0.5, 0.95, 1]) }),
    ...((takes === "weight" || takes === "other") && { dataset_id: "D", column_id: "whole" }),
  };
  return {
    reference: {
      ...referenceTo(column),
      ...(isExtreme && levelOf(column, random, 0.3)),
      aggregation: { type, ...more },
    },
    isExact: isExtreme || isCount || (type === "sum" && exactKinds.has(column.kind)),
    tested: isExtreme ? column : counted,
  };
}

function condition(random: Random, columns: readonly AwkwardColumn[], depth = 0): object {
  if (depth < 3 && random.chance(0.35)) {
    const members = Array.from({ length: 1 + random.below(3) }, () =>
      condition(random, columns, depth + 1),
    );
    return random.chance(0.5) ? { and: members } : { or: members };
  }
  const column = random.pick(columns);
  const isBinned = awkwardType(column) === "numeric" && random.chance(0.15);
  const reference = {
    ...referenceTo(column),
    ...levelOf(column, random, 0.3),
    ...(isBinned && { discretization: bins(random) }),
  };
  return test(reference, isBinned ? counted : column, random);
}

function test(reference: object, column: AwkwardColumn, random: Random): object {
  const isText = awkwardType(column) === "hierarchy";
  const operator = random.pick(
    operators.filter((name) => {
      if (textOperators.test(name)) return isText;
      return !comparisons.test(name) || !isText;
    }),
  );
  if (operator.endsWith("null")) return { expression: `? ${operator}`, parameters: [reference] };
  const value = () => randomAwkwardValue(random, column);
  const list = Array.from({ length: random.below(4) }, () => (random.chance(0.2) ? null : value()));
  return {
    expression: `? ${operator} ?`,
    parameters: [reference, operator.endsWith("in") ? list : value()],
  };
}

/** Returns the queries that result when one part of a query is left out. */
export function smallerQueries(query: AwkwardQuery): AwkwardQuery[] {
  const smaller: AwkwardQuery[] = [];
  for (const member of ["dimensions", "measures", "where", "having", "order"] as const)
    query[member].forEach((_, index) => {
      const rest = query[member].filter((__, other) => other !== index);
      smaller.push({ ...query, [member]: rest });
    });
  query.where.forEach((each, index) => {
    for (const inner of membersOf(each))
      smaller.push({ ...query, where: query.where.with(index, inner) });
  });
  if (query.limit) {
    const { limit: _, ...rest } = query;
    smaller.push(rest);
  }
  if (query.options["timezone_id"] !== "UTC")
    smaller.push({ ...query, options: { ...query.options, timezone_id: "UTC" } });
  return smaller.filter(({ dimensions, measures }) => dimensions.length + measures.length > 0);
}

function membersOf(condition: object): readonly object[] {
  if ("and" in condition && Array.isArray(condition.and)) return condition.and as object[];
  if ("or" in condition && Array.isArray(condition.or)) return condition.or as object[];
  return [];
}
