import type { Expression, OutputPredicate, Plan, Predicate, Scalar } from "../../engine/index.ts";

/** A row by column name: numbers, milliseconds, texts or null. */
export type Row = Readonly<Record<string, Scalar>>;

/** Answers a plan row by row, slowly and plainly: the oracle of the engine's tests. Null is null, datetimes are milliseconds. */
export function referenceAnswer(plan: Plan, rows: readonly Row[]): Scalar[][] {
  const selected = rows.filter(
    (row) => !plan.filter || test(plan.filter, (leaf) => evaluate(leaf.left, row)),
  );
  let answer = plan.grouped
    ? group(plan, selected)
    : selected.map((row) =>
        plan.outputs.map((output) => (output.kind === "key" ? evaluate(output.of, row) : null)),
      );
  const { having, order = [], limit } = plan;
  if (having) answer = answer.filter((cells) => test(having, (leaf) => cells[leaf.output]));
  const places = new Map(answer.map((cells, index) => [cells, index]));
  answer = [...answer].sort((left, right) => {
    for (const { output, descending } of order) {
      const [a, b] = [left[output], right[output]];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const difference = compare(a, b);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return (places.get(left) ?? 0) - (places.get(right) ?? 0);
  });
  return limit ? answer.slice(limit.offset, limit.offset + limit.count) : answer;
}

type Leaf<Tree> = Exclude<Tree, { kind: "and" | "or" | "not" }>;

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

/** Folds the simple letters that the tests use. */
const fold = (text: string) => text.toLowerCase();

export function compare(left: number | string, right: number | string): number {
  if (typeof left === "number" && typeof right === "number")
    return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [String(left), String(right)].map((text) =>
    [...text].map((character) => character.codePointAt(0) ?? 0),
  );
  for (let index = 0; index < Math.min(a.length, b.length); index++)
    if (a[index] !== b[index]) return a[index] - b[index];
  return a.length - b.length;
}

function evaluate(expression: Expression, row: Row): Scalar {
  if (expression.kind === "column") return row[expression.name];
  const instant = evaluate(expression.of, row);
  return typeof instant === "number"
    ? truncate(instant, expression.period, expression.timezone)
    : null;
}

/** Truncates with the runtime's own calendar. An hour or less keeps the offset of its instant. */
export function truncate(instant: number, period: string, timezone: string): number {
  const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  if (["hour", "minute", "second", "millisecond"].includes(period)) {
    const start = moment.round({
      smallestUnit: period as "hour",
      roundingMode: "floor",
    }).epochMilliseconds;
    return start;
  }
  let date = moment.toPlainDate();
  if (period === "week") date = date.subtract({ days: date.dayOfWeek - 1 });
  if (period !== "day" && period !== "week") date = date.with({ day: 1 });
  if (period === "quarter") date = date.with({ month: Math.floor((date.month - 1) / 3) * 3 + 1 });
  if (period === "year") date = date.with({ month: 1 });
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

function group(plan: Plan, rows: readonly Row[]): Scalar[][] {
  const keyed = plan.outputs.flatMap((output) => (output.kind === "key" ? [output.of] : []));
  const groups = new Map<string, Row[]>();
  if (keyed.length === 0) groups.set("[]", []);
  for (const row of rows) {
    const key = JSON.stringify(keyed.map((expression) => evaluate(expression, row)));
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((members) =>
    plan.outputs.map((output) => {
      if (output.kind === "key") return plain(evaluate(output.of, members[0]));
      const { of } = output;
      if (!of) return members.length;
      const values = members.map((row) => evaluate(of, row)).filter((value) => value !== null);
      if (output.function === "count") return values.length;
      if (output.function === "distinctcount") return new Set(values).size;
      if (values.length === 0) return null;
      if (output.function === "min")
        return plain(values.reduce((least, value) => (compare(value, least) < 0 ? value : least)));
      if (output.function === "max")
        return plain(
          values.reduce((greatest, value) => (compare(value, greatest) > 0 ? value : greatest)),
        );
      const sum = values.reduce<number>((total, value) => total + Number(value), 0);
      return plain(output.function === "sum" ? sum : sum / values.length);
    }),
  );
}

/** -0 is shown as 0. */
const plain = (value: Scalar) => (value === 0 ? 0 : value);
