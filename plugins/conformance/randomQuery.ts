import {
  type Aggregation,
  aggregationDefinitions,
  type Bin,
  type Column,
  type ColumnFilter,
  type Filter,
  type FunctionName,
  type Having,
  type Level,
  type Operator,
  operatorDefinitions,
  operators,
  type Query,
  type QueryColumn,
} from "../protocol/index.ts";
import type { Claim } from "./claims.ts";
import type { Random } from "./createRandom.ts";
import { randomFilter } from "./randomFilter.ts";
import { randomDerived } from "./randomDerived.ts";
import { randomJoin, freeId } from "./randomJoin.ts";
import { zones } from "./zones.ts";
import { columnsOf, keyColumns, sortableColumns, type Subject } from "./subject.ts";

const rowCount: QueryColumn = { column_id: "*", aggregation: "count" };

/**
 * Returns a random query that tests a claim and uses only capabilities that the plugin promises. Undefined if the
 * dataset has no suitable column.
 */
export function randomQuery(claim: Claim, subject: Subject, random: Random): Query | undefined {
  switch (claim.kind) {
    case "rows":
      return rowsQuery(subject, subject.dataset.columns.map(plain));
    case "projection":
      return rowsQuery(subject, random.some(subject.dataset.columns, 0.4).map(plain));
    case "filter": {
      const columns = columnsOf(subject.dataset, claim.type).filter(
        ({ narrowed }) => narrowed?.filters?.[claim.operator] === undefined,
      );
      if (columns.length === 0) return undefined;
      return filtered(subject, [
        randomFilter(random.pick(columns), claim.operator, subject, random),
      ]);
    }
    case "together":
      return withTests(subject, random, (tests) => filtered(subject, tests));
    case "nested":
      return withTests(subject, random, (tests) => filtered(subject, nestedTests(tests, random)));
    case "filterLevels":
      return filteredByLevel(subject, random);
    case "having":
      return grouped(subject, random, (query) => withHaving(query, subject, random));
    case "order":
      return ordered(subject, random);
    case "groupLimit":
      return limitedPerGroup(subject, random);
    case "limit":
      return limited(subject, random);
    case "levelsAnywhere":
      return levelAnywhere(subject, random);
    case "function":
      return computed(claim.function, subject, random);
    case "joins":
      return randomJoin(subject, random, {});
    case "compositeJoins":
      return randomJoin(subject, random, { isComposite: true });
    case "joinFilters":
      return randomJoin(subject, random, { isFiltered: true });
    case "key":
    case "aggregation":
    case "level":
    case "timezones":
    case "bins":
      return groupedBy(claim, subject, random);
  }
}

const plain = ({ id }: Column): QueryColumn => ({ column_id: id });

function rowsQuery({ dataset }: Subject, wanted: readonly QueryColumn[]): Query {
  const columns = wanted.length > 0 ? wanted : dataset.columns.map(plain);
  return { id: dataset.id, columns, filters: [], options: { pushdown: false } };
}

/** Returns a query for plain rows with the given filters. */
function filtered(subject: Subject, filters: readonly Filter[]): Query {
  return { ...rowsQuery(subject, []), filters };
}

/** Creates a query with two to four random filters whose operators the plugin promises. */
function withTests(
  subject: Subject,
  random: Random,
  make: (tests: readonly ColumnFilter[]) => Query,
): Query | undefined {
  const tests = Array.from({ length: 2 + random.below(3) }, () => randomTest(subject, random));
  const drawn = tests.filter((test) => test !== undefined);
  return drawn.length < 2 ? undefined : make(drawn);
}

/** Combines two or more tests in groups, some of them inside other groups. */
function nestedTests(tests: readonly ColumnFilter[], random: Random): readonly Filter[] {
  const [first, second, ...others] = tests;
  if (!first || !second) return tests;
  const rest = [second, ...others];
  return random.pick<readonly Filter[]>([
    [{ or: [...tests] }],
    [{ and: [{ or: [...tests] }] }],
    [{ and: [first, { or: rest }] }],
    [{ or: [first, { and: rest }] }],
    [{ or: [{ and: [first, second] }, ...others] }],
    [{ or: [first, { and: [second, { or: [...others, first] }] }] }],
    [first, { or: rest }],
  ]);
}

function randomTest(subject: Subject, random: Random): ColumnFilter | undefined {
  const column = random.pick(subject.dataset.columns);
  const promised = Object.entries(subject.capabilities.filters?.operators ?? {})
    .filter(([, types]) => types.includes(column.type))
    .map(([name]) => operators.find((operator) => operator === name))
    .filter((operator) => operator !== undefined)
    .filter((operator) => column.narrowed?.filters?.[operator] === undefined);
  if (promised.length === 0) return undefined;
  return randomFilter(column, random.pick(promised), subject, random);
}

function filteredByLevel(subject: Subject, random: Random): Query | undefined {
  const level = levelOf(subject, random);
  const columns = columnsOf(subject.dataset, "datetime");
  const promised = operators.filter(
    (operator) =>
      isLevelTest(operator) &&
      subject.capabilities.filters?.operators[operator]?.includes("datetime"),
  );
  if (!level || columns.length === 0 || promised.length === 0) return undefined;
  const test = randomFilter(random.pick(columns), random.pick(promised), subject, random);
  return filtered(subject, [{ ...test, level, value: (test.value ?? []).map(startOfMonth) }]);
}

/** Returns true for a positive operator that can compare a value with the start of a period. */
function isLevelTest(operator: Operator): boolean {
  const { complementOf, tests } = operatorDefinitions[operator];
  return complementOf === undefined && (tests === "equality" || tests === "order");
}

/** Moves a datetime to the start of its month, at which periods of shorter levels also start. */
function startOfMonth(value: string | number | null): string | number | null {
  return typeof value === "string" && value.length === 24
    ? `${value.slice(0, 8)}01T00:00:00.000Z`
    : value;
}

function levelOf({ capabilities }: Subject, random: Random): Level | undefined {
  const levels = capabilities.grouping?.levels ?? [];
  return levels.length === 0 ? undefined : random.pick(levels);
}

function groupedQuery({ dataset }: Subject, columns: readonly QueryColumn[]): Query {
  return { id: dataset.id, columns, filters: [], options: { pushdown: true } };
}

function countedRows({ capabilities }: Subject): readonly QueryColumn[] {
  return capabilities.grouping?.aggregations.includes("count") ? [rowCount] : [];
}

function groupedBy(
  claim: Extract<Claim, { kind: "key" | "aggregation" | "level" | "timezones" | "bins" }>,
  subject: Subject,
  random: Random,
): Query | undefined {
  const { dataset } = subject;
  const counts = countedRows(subject);
  const times = keyColumns(subject, "datetime");
  switch (claim.kind) {
    case "key": {
      const keys = keyColumns(subject, claim.type);
      if (keys.length === 0) return undefined;
      const others = random.chance(0.3) ? [plain(random.pick(keyColumns(subject)))] : [];
      const key = plain(random.pick(keys));
      return groupedQuery(subject, distinctColumns([key, ...others, ...counts]));
    }
    case "aggregation": {
      const measure = randomMeasure(claim.aggregation, subject, random);
      if (!measure) return undefined;
      const isRunning = !aggregationDefinitions[claim.aggregation].ofOneGroup;
      const hasKeys = random.chance(0.7) && (!isRunning || subject.capabilities.order);
      const known = isRunning ? sortableKeys(subject) : keyColumns(subject);
      const keys = hasKeys ? random.some(known, 0.3).slice(0, 2) : [];
      const isPerSeries = isRunning && keys.length > 0 && random.chance(0.5);
      const per = isPerSeries && subject.capabilities.cumulativePer && { per: [keys.length - 1] };
      const query = groupedQuery(subject, [...keys.map(plain), { ...measure, ...per }]);
      if (!isRunning || keys.length === 0) return query;
      // A running total is defined only if the query fixes the order of all rows.
      return { ...query, order: keys.map((_, column) => ({ column, order: "asc" })) };
    }
    case "level":
      if (times.length === 0) return undefined;
      return groupedQuery(subject, [
        { column_id: random.pick(times).id, level: claim.level },
        ...counts,
      ]);
    case "timezones": {
      const level = levelOf(subject, random);
      if (!level || times.length === 0) return undefined;
      const query = groupedQuery(subject, [{ column_id: random.pick(times).id, level }, ...counts]);
      return { ...query, options: { pushdown: true, timezone_id: random.pick(zones) } };
    }
    case "bins": {
      const numbers = keyColumns(subject, "numeric");
      if (numbers.length === 0) return undefined;
      const key = { column_id: random.pick(numbers).id, bin: randomBin(claim.isDecimal, random) };
      if (subject.capabilities.grouping) return groupedQuery(subject, [key, ...counts]);
      return { ...rowsQuery(subject, []), id: dataset.id, columns: [key] };
    }
  }
}

function sortableKeys(subject: Subject): readonly Column[] {
  const sortable = sortableColumns(subject);
  return keyColumns(subject).filter((column) => sortable.includes(column));
}

function distinctColumns(columns: readonly QueryColumn[]): readonly QueryColumn[] {
  const seen = new Set<string>();
  return columns.filter((column) => {
    const key = JSON.stringify(column);
    return seen.size < seen.add(key).size;
  });
}

function randomBin(isDecimal: boolean, random: Random): Bin {
  if (!isDecimal) return { width: random.pick([1, 2, 5, 10, 100, 1000]), origin: 0 };
  return { width: random.pick([0.1, 0.25, 0.5, 2.5]), origin: random.pick([0, 0.05, -1]) };
}

function randomMeasure(
  aggregation: Aggregation,
  subject: Subject,
  random: Random,
): QueryColumn | undefined {
  const { argument, needs, takes } = aggregationDefinitions[aggregation];
  const columns = columnsOf(subject.dataset, argument === "number" ? "numeric" : undefined)
    .filter(({ narrowed }) => !narrowed?.aggregations?.includes(aggregation))
    .filter(({ narrowed }) => needs !== "order" || narrowed?.order !== false)
    .filter(({ narrowed }) => needs !== "equality" || narrowed?.grouping !== false);
  if (columns.length === 0) return undefined;
  const column_id = random.pick(columns).id;
  return {
    column_id,
    aggregation,
    ...(takes === "fraction" && { fraction: random.pick([0, 0.1, 0.5, 0.9, 1]) }),
    ...(takes === "weight" && { weight: random.pick(columns).id }),
    ...(takes === "other" && { other: otherThan(column_id, columns, random) }),
  };
}

/** Returns the id of another column, or of the same column if there is no other. */
function otherThan(columnId: string, columns: readonly Column[], random: Random): string {
  const others = columns.filter(({ id }) => id !== columnId);
  return others.length === 0 ? columnId : random.pick(others).id;
}

/** Creates a query that groups by one or two columns and counts rows. */
function grouped(
  subject: Subject,
  random: Random,
  change: (query: Query) => Query | undefined,
): Query | undefined {
  const keys = random.some(keyColumns(subject), 0.4).slice(0, 2);
  const counts = countedRows(subject);
  if (!subject.capabilities.grouping || counts.length === 0) return undefined;
  return change(groupedQuery(subject, [...keys.map(plain), ...counts]));
}

function withHaving(query: Query, { table }: Subject, random: Random): Query {
  const column = query.columns.length - 1;
  const most = Math.max(2, Math.min(table.rows.length, 6));
  const test: Having = {
    column,
    expression: random.pick(["=", ">", "<=", "!="] as const),
    value: [random.below(most)],
  };
  return { ...query, having: [test] };
}

/** Creates a query that sorts plain rows by every visible column, so that only the order of equal rows is undefined. */
function ordered(subject: Subject, random: Random): Query | undefined {
  const columns = sortableColumns(subject);
  if (columns.length === 0) return undefined;
  const shown = [random.pick(columns), ...random.some(columns, 0.3)];
  const wanted = distinctColumns(shown.map(plain));
  const sortable = wanted.flatMap(({ column_id }, column) =>
    columns.some(({ id }) => id === column_id) ? [column] : [],
  );
  const order = sortable.map((column) => ({
    column,
    order: random.pick(["asc", "desc"] as const),
  }));
  return { ...rowsQuery(subject, wanted), order };
}

/** Creates a query that keeps the first rows for each combination of values of one or two columns. */
function limitedPerGroup(subject: Subject, random: Random): Query | undefined {
  const query = subject.capabilities.order ? ordered(subject, random) : undefined;
  if (!query) return undefined;
  const keys = keyColumns(subject).map(({ id }) => id);
  const shown = query.columns.flatMap(({ column_id }, column) =>
    keys.includes(column_id) ? [column] : [],
  );
  const [first, second] = random.some(shown, 0.5);
  const column = first ?? shown[0];
  if (column === undefined) return undefined;
  return {
    ...query,
    groupLimit: {
      columns: second === undefined ? [column] : [column, second],
      by: random.chance(0.1) ? 0 : 1 + random.below(3),
      ...(random.chance(0.4) && { offset: random.below(3) }),
    },
  };
}

function limited(subject: Subject, random: Random): Query | undefined {
  const { capabilities, table } = subject;
  const rows = capabilities.order ? ordered(subject, random) : rowsQuery(subject, []);
  if (!rows) return undefined;
  const test = random.chance(0.5) && capabilities.filters ? randomTest(subject, random) : undefined;
  const most = Math.max(1, Math.min(20, table.rows.length - 1));
  const by = random.chance(0.1) ? 0 : 1 + random.below(most);
  const offset = random.below(Math.max(1, Math.min(20, table.rows.length)));
  return {
    ...rows,
    filters: test ? [test] : [],
    limit: { by, ...(random.chance(0.6) && { offset }) },
  };
}

/** Returns a random query with a derived column and a stored column. */
function computed(name: FunctionName, subject: Subject, random: Random): Query | undefined {
  const { columns } = subject.dataset;
  const id = freeId("computed", new Set(columns.map((column) => column.id)));
  const derived = randomDerived(name, id, subject, random);
  if (!derived) return undefined;
  const query = rowsQuery(subject, [plain(random.pick(columns)), { column_id: id }]);
  return { ...query, derived: [derived] };
}

function levelAnywhere(subject: Subject, random: Random): Query | undefined {
  const level = levelOf(subject, random);
  const times = columnsOf(subject.dataset, "datetime");
  if (!level || times.length === 0) return undefined;
  const column_id = random.pick(times).id;
  const { aggregations = [] } = subject.capabilities.grouping ?? {};
  if (aggregations.includes("max") && random.chance(0.5))
    return groupedQuery(subject, [{ column_id, level, aggregation: "max" }]);
  return rowsQuery(subject, [{ column_id, level }]);
}
