import { applyFunction } from "../../plugins/meanings/evaluate.ts";
import type { FunctionName } from "../../plugins/protocol/index.ts";
import type { Expression, OutputPredicate, Plan, Predicate, Scalar } from "../../engine/index.ts";
import { plainBinStart } from "../support/plainBin.ts";
import { compare } from "./compare.ts";
import { aggregate, type Bounds } from "./referenceAggregates.ts";

export { compare };

/** A row by column name: numbers, datetimes as milliseconds, strings or null. */
export type Row = Readonly<Record<string, Scalar>>;

/** The rows of every table, by table name. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

/**
 * Answers a plan row by row, slowly and simply, as the oracle of the engine's tests. Datetimes are milliseconds.
 * `joined` contains the tables of the plan's joins.
 */
export function referenceAnswer(plan: Plan, rows: readonly Row[], joined: Tables = {}): Scalar[][] {
  return referenceBounds(plan, rows, joined).map((cells) => cells.map(({ value }) => value));
}

/**
 * Like `referenceAnswer`, but each cell has bounds within which a value counts as correct, because sums of doubles
 * depend on their order and sketches are inexact.
 */
export function referenceBounds(plan: Plan, rows: readonly Row[], joined: Tables = {}): Bounds[][] {
  const met = rows.map((row) => meet(plan, row, joined));
  const selected = met.filter((row) => !plan.filter || testRow(plan.filter, row));
  let answer = plan.grouped
    ? group(plan, selected)
    : selected.map((row) =>
        plan.outputs.map((output) =>
          exactly(output.kind === "key" ? evaluate(output.of, row) : null),
        ),
      );
  const { having, order = [], groupLimit, limit } = plan;
  if (having) answer = answer.filter((cells) => test(having, (leaf) => cells[leaf.output].value));
  const places = new Map(answer.map((cells, index) => [cells, index]));
  answer = [...answer].sort((left, right) => {
    for (const { output, descending } of order) {
      const [a, b] = [left[output].value, right[output].value];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const difference = compare(a, b);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return (places.get(left) ?? 0) - (places.get(right) ?? 0);
  });
  plan.outputs.forEach((output, index) => {
    if (output.kind === "aggregate" && output.function === "cumulativesum") addUp(answer, index);
  });
  if (groupLimit) {
    const { outputs, count, offset } = groupLimit;
    const seen = new Map<string, number>();
    answer = answer.filter((cells) => {
      const key = JSON.stringify(outputs.map((output) => cells[output].value));
      const place = seen.get(key) ?? 0;
      seen.set(key, place + 1);
      return place >= offset && place < offset + count;
    });
  }
  return limit ? answer.slice(limit.offset, limit.offset + limit.count) : answer;
}

/** Replaces a column of sums with its cumulative sums. Nulls add nothing. */
function addUp(answer: Bounds[][], index: number): void {
  let sum: Bounds = exactly(null);
  for (const cells of answer) {
    const { value, low, high } = cells[index];
    if (value !== null)
      sum = {
        value: Number(sum.value ?? 0) + Number(value),
        low: sum.low + low - 1e-12 * Math.abs(low),
        high: sum.high + high + 1e-12 * Math.abs(high),
      };
    cells[index] = sum;
  }
}

function exactly(value: Scalar): Bounds {
  const number = typeof value === "number" ? value : 0;
  return { value, low: number, high: number };
}

/** A row of the plan's table, and the rows that are joined to it, by the name of the join. */
interface MetRow {
  readonly own: Row;
  readonly joined: Readonly<Record<string, Row | undefined>>;
}

function meet(plan: Plan, own: Row, tables: Tables): MetRow {
  const joined: Record<string, Row | undefined> = {};
  for (const { name, table, left, right, filter } of plan.joins ?? []) {
    const from = left.join === undefined ? own : joined[left.join];
    const value = from?.[left.name] ?? null;
    const rows = filter ? passing(tables[table], filter) : tables[table];
    joined[name] = value === null ? undefined : findRow(rows, right, value);
  }
  return { own, joined };
}

const passingRows = new WeakMap<readonly Row[], Map<Predicate, readonly Row[]>>();

/** Returns the rows of a joined table that pass the filter of the join. */
function passing(rows: readonly Row[], filter: Predicate): readonly Row[] {
  const byFilter = passingRows.get(rows) ?? new Map<Predicate, readonly Row[]>();
  passingRows.set(rows, byFilter);
  const found = byFilter.get(filter) ?? rows.filter((own) => testRow(filter, { own, joined: {} }));
  byFilter.set(filter, found);
  return found;
}

const rowsByValue = new WeakMap<readonly Row[], Map<string, Map<Scalar, Row>>>();

function findRow(rows: readonly Row[], column: string, value: Scalar): Row | undefined {
  const columns = rowsByValue.get(rows) ?? new Map<string, Map<Scalar, Row>>();
  rowsByValue.set(rows, columns);
  const found = columns.get(column) ?? new Map(rows.map((row) => [row[column], row]));
  columns.set(column, found);
  return found.get(value);
}

type Leaf<Tree> = Exclude<Tree, { kind: "and" | "or" | "not" }>;

const testRow = (predicate: Predicate, row: MetRow): boolean =>
  test(predicate, (leaf) => evaluate(leaf.left, row));

function test<Tree extends Predicate | OutputPredicate>(
  predicate: Tree,
  valueOf: (leaf: Leaf<Tree>) => Scalar,
): boolean {
  const run = (tree: Predicate | OutputPredicate): boolean => {
    if (tree.kind === "and") return tree.of.every(run);
    if (tree.kind === "or") return tree.of.some(run);
    if (tree.kind === "not") return !run(tree.of);
    const value = valueOf(tree as Leaf<Tree>);
    if (tree.kind === "isNull") return value === null;
    if (tree.kind === "in") return tree.values.some((member) => member === value);
    if (value === null) return false;
    if (tree.kind === "match") {
      const [whole, part] = [fold(String(value)), fold(tree.text)];
      return tree.match === "contains"
        ? whole.includes(part)
        : tree.match === "startsWith"
          ? whole.startsWith(part)
          : whole.endsWith(part);
    }
    const difference = compare(value, tree.value);
    return {
      "=": difference === 0,
      "<": difference < 0,
      "<=": difference <= 0,
      ">": difference > 0,
      ">=": difference >= 0,
    }[tree.operator];
  };
  return run(predicate);
}

/** Folds the case of the letters that the tests use. */
const fold = (text: string) => text.toLowerCase();

function evaluate(expression: Expression, row: MetRow): Scalar {
  switch (expression.kind) {
    case "column": {
      const { name, join } = expression;
      return (join === undefined ? row.own : row.joined[join])?.[name] ?? null;
    }
    case "literal":
      return expression.value;
    case "period": {
      const instant = evaluate(expression.of, row);
      if (typeof instant !== "number") return null;
      return truncate(instant, expression.period, expression.timezone);
    }
    case "bin": {
      const { width, origin } = expression;
      const value = evaluate(expression.of, row);
      if (typeof value !== "number") return null;
      return finite(plainBinStart(value, width, origin));
    }
    case "case": {
      const branch = expression.branches.find(({ when }) => testRow(when, row));
      const value = branch?.then ?? expression.otherwise;
      return value ? evaluate(value, row) : null;
    }
    case "call":
      return call(
        expression.function,
        expression.of.map((part) => evaluate(part, row)),
      );
  }
}

/**
 * Evaluates a function with the implementation of the expression language. This file implements `compare` and
 * predicates that return numbers, because only the engine has them.
 */
function call(name: string, values: readonly Scalar[]): Scalar {
  const [left, right] = values;
  if (name === "compare")
    return left === null || right === null ? null : Math.sign(compare(left, right));
  const isTest = ["contains", "startsWith", "endsWith"].includes(name);
  if (isTest && values.includes(null)) return null;
  const value = applyFunction(name as FunctionName, values);
  return typeof value === "boolean" ? Number(value) : value;
}

const finite = (value: number) => (Number.isFinite(value) ? value : null);

/**
 * Truncates with the runtime's calendar. Hours and shorter periods keep the UTC offset of the instant. A period that
 * would start before the calendar's lower limit starts at the limit.
 */
export function truncate(instant: number, period: string, timezone: string): number {
  try {
    return truncateWithin(instant, period, timezone);
  } catch (failure) {
    if (failure instanceof RangeError && instant < 0) return -8.64e15;
    if (failure instanceof RangeError && timezone !== "UTC")
      return truncateWithin(instant - gregorianCycleMs, period, timezone) + gregorianCycleMs;
    throw failure;
  }
}

/** Dates and weekdays repeat after 400 years. */
const gregorianCycleMs = 146_097 * 86_400_000;

function truncateWithin(instant: number, period: string, timezone: string): number {
  const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  if (["hour", "minute", "second", "millisecond"].includes(period)) {
    const start = moment.round({ smallestUnit: period as "hour", roundingMode: "floor" });
    if (start.offsetNanoseconds === moment.offsetNanoseconds) return start.epochMilliseconds;
    // A clock change splits the hour, on Lord Howe Island by half an hour. The second part starts at the clock change.
    const transition = moment.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
    return transition?.epochMilliseconds ?? start.epochMilliseconds;
  }
  let date = moment.toPlainDate();
  if (period === "week") date = date.subtract({ days: date.dayOfWeek - 1 });
  if (period !== "day" && period !== "week") date = date.with({ day: 1 });
  if (period === "quarter") date = date.with({ month: Math.floor((date.month - 1) / 3) * 3 + 1 });
  if (period === "year") date = date.with({ month: 1 });
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

function group(plan: Plan, rows: readonly MetRow[]): Bounds[][] {
  const keyed = plan.outputs.flatMap((output) => (output.kind === "key" ? [output.of] : []));
  const groups = new Map<string, MetRow[]>();
  if (keyed.length === 0) groups.set("[]", []);
  for (const row of rows) {
    const key = JSON.stringify(keyed.map((expression) => evaluate(expression, row)));
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((members) =>
    plan.outputs.map((output) => {
      if (output.kind === "key") return exactly(plain(evaluate(output.of, members[0])));
      const { of, weight, other } = output;
      const second = weight ?? other;
      if (!of) return exactly(members.length);
      const values = members.map((row) => evaluate(of, row));
      return aggregate(output, values, second && members.map((row) => evaluate(second, row)));
    }),
  );
}

/** Converts -0 to 0. */
const plain = (value: Scalar) => (value === 0 ? 0 : value);
