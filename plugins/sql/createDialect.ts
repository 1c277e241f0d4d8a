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

/** The members that every dialect must have, and any whose default does not fit its database. */
export interface DialectOptions
  extends Pick<Dialect, Own>, Partial<Omit<Dialect, Own | "capabilities" | "aggregate">> {
  /** Claims beyond or below what the other members write. Members of `filters` and `grouping` are replaced by name. */
  readonly claims?: Claims;
  readonly numbers?: Partial<NumberForms>;
  /** Aggregations by name; undefined for one that the database cannot write. All others are claimed. */
  readonly aggregates?: Partial<Aggregates>;
  /**
   * Writes a test of a column by its own type, for its index. It must pass every row that the exact test passes. With
   * `isExact` it passes no other and replaces that test; otherwise it comes in front. Default: none.
   */
  native?(test: NativeTest): NativeResult | undefined;
  /**
   * Writes a membership in a list, which follows an expression. Default: `in (…)` with a parameter per value, for up to
   * 5,000 values.
   */
  among?(list: Bound): Fragment;
}

export interface NativeTest extends ValueTest {
  readonly operator: "=" | "in" | Comparison;
  readonly column: SqlColumn;
}

export interface NativeResult {
  readonly test: Fragment;
  readonly isExact?: boolean;
}

/** Capabilities whose members of `filters` and `grouping` may be given one by one. */
export interface Claims extends Omit<Capabilities, "filters" | "grouping"> {
  readonly filters?: Partial<NonNullable<Capabilities["filters"]>>;
  readonly grouping?: Partial<NonNullable<Capabilities["grouping"]>>;
}

/** Values of a list that are a parameter each: databases limit the parameters of a statement. */
const mostParameters = 5_000;

/**
 * Creates the dialect of a database that says most things as most databases do: `Dialect` states the default of each
 * member. Its capabilities are everything that its members write.
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
    aggregate({ aggregation, expression: value, type, fraction, weight }) {
      if (!value) return aggregation === "count" ? trusted("count(*)") : undefined;
      if (aggregationDefinitions[aggregation].argument === "number" && type !== "numeric")
        return undefined;
      // Some databases take the fraction only as a part of the text.
      if (aggregation === "percentile")
        return typeof fraction === "number" ? written.percentile?.(value, fraction) : undefined;
      if (aggregation === "weightedaverage")
        return weight && written.weightedaverage?.(value, weight);
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

/** The quotient is rounded, so the bin may be the one before or after. */
function binStart(number: Fragment, double: Fragment, width: number): Fragment {
  const by = cell("numeric", width);
  const index = sql`floor(${double} / ${by})`;
  return sql`case when ${index} * ${by} > ${number} then (${index} - 1) * ${by} when (${index} + 1) * ${by} <= ${number} then (${index} + 1) * ${by} else ${index} * ${by} end`;
}

/** Returns a whole number from 0 on; anything else is refused, so no other text can come into a statement. */
function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new PluginError("PLUGIN_INVALID", ["limit and offset must be whole numbers from 0 on"]);
  return value;
}
