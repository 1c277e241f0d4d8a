import {
  makesTest,
  limitsOf,
  type Bin,
  type Cell,
  type Filter,
  type Operator,
} from "../../../plugins/protocol/index.ts";

/**
 * Rewrites a filter on bins as tests of numbers, which every source that compares numbers supports. A value at which no
 * bin starts is not equal to any bin; other comparisons use the value unchanged. The bin of null is null, and so is the
 * bin of a number whose bin start cannot be represented as a double.
 */
export function binFilter(
  columnId: string,
  bin: Bin,
  expression: Operator,
  value: readonly Cell[] = [],
): Filter {
  if (makesTest(expression, "part"))
    throw new TypeError(`bins cannot be tested with ${expression}`);
  const test = (operator: Operator, ...values: readonly Cell[]): Filter => ({
    column_id: columnId,
    expression: operator,
    value: values,
  });
  const isNull: Filter = { column_id: columnId, expression: "is null" };
  const notNull: Filter = { column_id: columnId, expression: "is not null" };
  const { least, most } = binnedNumbers(bin);
  const inside = [
    ...(least === -Number.MAX_VALUE ? [] : [test(">=", least)]),
    ...(most === Number.MAX_VALUE ? [] : [test("<=", most)]),
  ];
  const outside = [
    ...(least === -Number.MAX_VALUE ? [] : [test("<", least)]),
    ...(most === Number.MAX_VALUE ? [] : [test(">", most)]),
  ];
  const isBinned = allOf([notNull, ...inside]);
  const isNotBinned = anyOf([isNull, ...outside]);
  const numbers = value.filter((cell) => typeof cell === "number");
  const tests = numbers.flatMap((start) => {
    const end = endOf(bin, start);
    if (end === undefined) return [];
    if (end === start) return [{ isIn: test("=", start), isOut: test("!=", start) }];
    return [
      {
        isIn: end === Infinity ? test(">=", start) : allOf([test(">=", start), test("<", end)]),
        isOut: anyOf([test("<", start), ...(end === Infinity ? [] : [test(">=", end)]), isNull]),
      },
    ];
  });
  const hasNull = value.includes(null);
  switch (expression) {
    case "is null":
      return isNotBinned;
    case "is not null":
      return isBinned;
    case "=":
    case "in":
      return tests.length + Number(hasNull) === 0
        ? test("in")
        : anyOf([...tests.map(({ isIn }) => isIn), ...(hasNull ? [isNotBinned] : [])]);
    case "!=":
    case "not in":
      return tests.length + Number(hasNull) === 0
        ? test("not in")
        : allOf([...tests.map(({ isOut }) => isOut), ...(hasNull ? [isBinned] : [])]);
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const [number] = numbers;
      if (number === undefined) throw new TypeError(`${expression} must have the start of a bin`);
      const isBelow = expression === "<" || expression === "<=";
      const limit = limitFrom(bin, number, expression === "<=" || expression === ">");
      if (Number.isFinite(limit)) return allOf([test(isBelow ? "<" : ">=", limit), ...inside]);
      return isBelow === number > 0 ? isBinned : test("in");
    }
  }
}

/** Returns the end of the bin that starts at a number; undefined if no bin starts at the number. */
function endOf(bin: Bin, start: number): number | undefined {
  const { indexOf, limit, startOf } = limitsOf(bin);
  return startOf(start) === start ? limit(indexOf(start) + 1) : undefined;
}

/**
 * Returns the smallest bin limit at or above a number, or strictly above it. The result is not finite if there is no
 * such limit.
 */
function limitFrom(bin: Bin, number: number, isAbove: boolean): number {
  const { indexOf, limit } = limitsOf(bin);
  const index = indexOf(number);
  const start = limit(index);
  return start < number || (isAbove && start === number) ? limit(index + 1) : start;
}

/** Returns the smallest and largest number whose bin has finite limits. */
function binnedNumbers(bin: Bin): { readonly least: number; readonly most: number } {
  const { startOf } = limitsOf(bin);
  const endFrom = (sign: 1 | -1): number => {
    if (!Number.isNaN(startOf(sign * Number.MAX_VALUE))) return sign * Number.MAX_VALUE;
    let [inside, outside] = [
      Math.min(Math.abs(bin.origin), Number.MAX_VALUE / 2),
      Number.MAX_VALUE,
    ];
    for (;;) {
      const middle = inside + (outside - inside) / 2;
      if (middle <= inside || middle >= outside) return sign * inside;
      if (Number.isNaN(startOf(sign * middle))) outside = middle;
      else inside = middle;
    }
  };
  return { least: endFrom(-1), most: endFrom(1) };
}

function allOf(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters;
  return only && others.length === 0 ? only : { and: filters };
}

function anyOf(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters;
  return only && others.length === 0 ? only : { or: filters };
}
