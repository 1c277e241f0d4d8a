import {
  aggregationDefinitions,
  aggregations,
  PluginError,
  type Aggregation,
  type Capabilities,
} from "../protocol/index.ts";
import { createAggregates, type Aggregates, type NumberForms } from "./createAggregates.ts";
import { withoutLevels, withoutMatches } from "./demotions.ts";
import type { Comparison, Dialect, ValueTest } from "./dialect.ts";
import type { SqlColumn } from "./driver.ts";
import { cell, join, sql, trusted, type Bound, type Fragment } from "./fragment.ts";
import { sqlCapabilities } from "./sqlCapabilities.ts";

type Own = "name" | "holdsNul" | "read";

/**
 * The members of a dialect that must be set, because they have no default, or that may be set, because the default does
 * not fit the database.
 */
export interface DialectOptions
  extends Pick<Dialect, Own>, Partial<Omit<Dialect, Own | "capabilities" | "aggregate">> {
  /**
   * Capabilities that replace the capabilities derived from the other members. Members of `filters` and `grouping` are
   * replaced individually.
   * @default {}
   */
  readonly claims?: Claims;
  /**
   * How numbers are written inside an aggregation. Absent members keep the defaults of `NumberForms`.
   * @default {}
   */
  readonly numbers?: Partial<NumberForms>;
  /**
   * Replaces functions of `createAggregates` by name. Undefined means that SQL of the database cannot express the
   * aggregation, so it is not claimed. All other aggregations are claimed.
   * @default {}
   */
  readonly aggregates?: Partial<Aggregates>;
  /**
   * Writes a test of a column in its native type, for which the database can use an index. The native test must pass
   * every row that the exact test passes. If it passes no other rows, it may set `isExact`, and then replaces the exact
   * test. Otherwise, it precedes the exact test.
   * @default none
   */
  native?(test: NativeTest): NativeResult | undefined;
  /**
   * Writes a test of membership in a list. The text follows the tested expression.
   * @default `in (…)` with one parameter per value, for up to 5,000 values
   */
  among?(list: Bound): Fragment;
}

/** A test that compares a column with a value or a list. */
export interface NativeTest extends ValueTest {
  readonly operator: "=" | "in" | Comparison;
  readonly column: SqlColumn;
}

/** The result of `native`: a test in the native type of a column. */
export interface NativeResult {
  readonly test: Fragment;
  /**
   * Whether the test passes exactly the rows of the exact test.
   * @default false
   */
  readonly isExact?: boolean;
}

/** Capabilities in which the members of `filters` and `grouping` can be set individually. */
export interface Claims extends Omit<Capabilities, "filters" | "grouping"> {
  readonly filters?: Partial<NonNullable<Capabilities["filters"]>>;
  readonly grouping?: Partial<NonNullable<Capabilities["grouping"]>>;
}

/**
 * Maximum length of a list that is written with one parameter per value, because databases limit the number of
 * parameters.
 */
const mostParameters = 5_000;

/**
 * Creates a dialect from the members that differ from the defaults of `Dialect`. The dialect's capabilities include
 * everything that its members can write.
 */
export function createDialect({
  claims,
  numbers,
  aggregates,
  native,
  among,
  ...own
}: DialectOptions): Dialect {
  const forms: NumberForms = {
    double: unchanged,
    finite: unchanged,
    sum: (number) => sql`sum(${number})`,
    ...numbers,
  };
  const written = createAggregates(forms, aggregates);
  const indexed = (test: ValueTest & Pick<NativeTest, "operator">, exact: Fragment): Fragment => {
    const { column } = test;
    const found = column && native?.({ ...test, column });
    if (!found) return exact;
    return found.isExact ? found.test : sql`(${found.test} and ${exact})`;
  };
  return {
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
    placeholder: () => "?",
    driverValue: (bound) => (bound.kind === "list" ? bound.values : bound.value),
    output: unchanged,
    cellOf(value) {
      if (typeof value === "number") return Number.isFinite(value) ? value : null;
      return typeof value === "string" ? value : null;
    },
    equal: (test) => indexed({ ...test, operator: "=" }, sql`${test.left} = ${test.right}`),
    isIn: (test) =>
      indexed({ ...test, operator: "in" }, sql`${test.left} ${(among ?? oneOfValues)(test.right)}`),
    compare: (test) => indexed(test, sql`${test.left} ${trusted(test.operator)} ${test.right}`),
    matches: () => undefined,
    truncate: () => undefined,
    shift: (instant, offsetMs) => sql`(${instant} + ${trusted(`(${offsetMs})`)})`,
    bin: (number, width) => binStart(number, forms.double(number), width),
    order: (expression, direction) => sql`${expression} ${trusted(direction)} nulls last`,
    limit: (by, offset) => trusted(`limit ${wholeNumber(by)} offset ${wholeNumber(offset)}`),
    ...own,
    capabilities: capabilitiesOf(written, { ...own, ...(among && { among }) }, claims),
    aggregate({ aggregation, expression: value, type, fraction, second }) {
      if (!value) return aggregation === "count" ? trusted("count(*)") : undefined;
      if (aggregationDefinitions[aggregation].argument === "number" && type !== "numeric")
        return undefined;
      // Some databases accept the fraction only as a literal.
      if (aggregation === "percentile")
        return typeof fraction === "number" ? written.percentile?.(value, fraction) : undefined;
      if (aggregation === "weightedaverage" || aggregation === "corr")
        return second && written[aggregation]?.(value, second);
      return written[aggregation]?.(value);
    },
  };
}

function capabilitiesOf(
  written: Aggregates,
  { truncate, matches, among }: Pick<DialectOptions, "truncate" | "matches" | "among">,
  { filters, grouping, ...claims }: Claims = {},
): Capabilities {
  let all: Capabilities = sqlCapabilities;
  if (!truncate) all = withoutLevels(all);
  if (!matches) all = withoutMatches(all);
  const isWritten = (name: Aggregation) => written[name] !== undefined;
  return {
    ...all,
    filters: {
      operators: {},
      ...all.filters,
      ...(!among && { listLength: mostParameters }),
      ...filters,
    },
    grouping: {
      levels: [],
      ...all.grouping,
      aggregations: aggregations.filter(isWritten),
      ...grouping,
    },
    ...claims,
  };
}

function unchanged(expression: Fragment): Fragment {
  return expression;
}

function oneOfValues(list: Bound): Fragment {
  const values = list.kind === "list" ? list.values : [list.value];
  const cells = values.map((value) => sql`${cell(list.type, value)}`);
  return sql`in (${join(cells, ", ")})`;
}

/**
 * Writes the start of a bin. Because the quotient is rounded, it may select a neighbour of the right bin; the SQL
 * corrects this.
 */
function binStart(number: Fragment, double: Fragment, width: number): Fragment {
  const by = cell("numeric", width);
  const index = sql`floor(${double} / ${by})`;
  return sql`case when ${index} * ${by} > ${number} then (${index} - 1) * ${by} when (${index} + 1) * ${by} <= ${number} then (${index} + 1) * ${by} else ${index} * ${by} end`;
}

/**
 * Returns a value that must be a non-negative integer. Throws for any other value, so that no other text gets into a
 * statement.
 */
function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new PluginError("PLUGIN_INVALID", [
      "limit and offset must be whole numbers of at least 0",
    ]);
  return value;
}
