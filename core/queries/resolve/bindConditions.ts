import type { Clock } from "./clock.ts";
import { ApiError, kindOf } from "../../base/index.ts";
import {
  dataTypes,
  isOfDays,
  makesTest,
  operatorDefinitions,
  type Cell,
  type DataType,
  type Operator,
  type OperatorTest,
  type Tree,
} from "../../../plugins/protocol/index.ts";
import { applyFunction } from "../expressions/index.ts";
import type { BoundReference } from "./boundReference.ts";
import { readBin } from "./readBin.ts";
import { parseInstant, parseInstantIn } from "../parse/parseInstant.ts";
import type { ColumnTest, Condition, Reference, RelativeTest, Test } from "../parsedQuery.ts";
import { relativeRange, type RelativeRange } from "./relativeRange.ts";

const comparable: readonly DataType[] = ["numeric", "datetime"];
const testTypes: Readonly<Record<OperatorTest, readonly DataType[]>> = {
  equality: dataTypes,
  order: comparable,
  part: ["hierarchy"],
  null: dataTypes,
};

/** Returns the column types that an operator accepts in a query. */
export function typesOf(operator: Operator | "between"): readonly DataType[] {
  return operator === "between" ? comparable : testTypes[operatorDefinitions[operator].tests];
}

/**
 * Binds tests to columns, and their values to the columns' types. The results are combined with AND. Groups that
 * contain only AND are flattened. `between` becomes its two inclusive bounds, and a relative test becomes its current
 * bounds. Tests with several columns are computed: `compare` returns a value that is 1 for rows that pass.
 * @throws {ApiError} MEMBER_INVALID if an operator or a value does not fit the column's type
 */
export function bindConditions<Leaf>(
  conditions: readonly Condition[],
  bind: (reference: Reference) => BoundReference,
  leaf: (
    reference: BoundReference,
    operator: Operator,
    value: readonly Cell[] | undefined,
  ) => Tree<Leaf>,
  clock: Clock,
  compare: (test: ColumnTest) => BoundReference,
): readonly Tree<Leaf>[] {
  const anded = (condition: Condition): readonly Tree<Leaf>[] => {
    if ("and" in condition) return condition.and.flatMap(anded);
    if ("or" in condition) {
      const members = condition.or.map(anded);
      if (members.some((member) => member.length === 0)) return [];
      const or = members.map(oneOf);
      return or.length === 1 ? or : [{ or }];
    }
    if ("operands" in condition) return [leaf(compare(condition), "=", [1])];
    const reference = bind(condition.reference);
    if ("relative" in condition) {
      const { from, to } = bindRelative(condition, reference, clock);
      return [
        ...(from ? [leaf(reference, from.isIncluded ? ">=" : ">", [instantText(from.at)])] : []),
        ...(to ? [leaf(reference, to.isIncluded ? "<=" : "<", [instantText(to.at)])] : []),
      ];
    }
    const value = bindValue(condition, reference, clock);
    if (condition.operator !== "between") return [leaf(reference, condition.operator, value)];
    const [low, high] = value ?? [];
    return [leaf(reference, ">=", [low ?? null]), leaf(reference, "<=", [high ?? null])];
  };
  return conditions.flatMap(anded);
}

function bindRelative(
  { path, valuePath, relative, unit, quantity, lastMs }: RelativeTest,
  { type, column, level, columnId }: BoundReference,
  clock: Clock,
): RelativeRange {
  const at = valuePath ?? `${path}.parameters[1]`;
  if (type !== "datetime")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.expression`,
      `${relative} must have a datetime column, but ${columnId} is ${type}`,
    ]);
  if (level)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.parameters[0].level`,
      `${relative} tests instants, not periods; leave the level out`,
    ]);
  const isDate = column?.subtype === "date";
  if (isDate && !isOfDays(unit))
    throw new ApiError("MEMBER_INVALID", [
      `${at}.unit`,
      `${columnId} contains dates without a time; use day, week, month, quarter or year`,
    ]);
  const anchorMs = relative === "last_available" ? (lastMs ?? Number.NaN) : clock.nowMs;
  // The column has no value, so no row is in the range.
  if (Number.isNaN(anchorMs)) return noRange;
  const { timezone } = clock;
  const range = relativeRange({ word: relative, unit, quantity, anchorMs, timezone, isDate });
  if (range) return range;
  throw new ApiError("MEMBER_INVALID", [
    `${at}.quantity`,
    "the periods reach past the end of the calendar; use fewer",
  ]);
}

const noRange: RelativeRange = {
  from: { at: 0, isIncluded: false },
  to: { at: 0, isIncluded: false },
};

function instantText(instant: number): string {
  return new Date(instant).toISOString();
}

function oneOf<Leaf>(members: readonly Tree<Leaf>[]): Tree<Leaf> {
  const [first] = members;
  return members.length === 1 && first !== undefined ? first : { and: members };
}

function bindValue(
  test: Test,
  reference: BoundReference,
  { timezone }: Pick<Clock, "timezone">,
): readonly Cell[] | undefined {
  const { type, bins, aggregation, column, formula } = reference;
  const types = typesOf(test.operator);
  if (!types.includes(type))
    throw new ApiError("MEMBER_INVALID", [
      `${test.path}.expression`,
      `? ${test.operator} ? must have a column of type ${types.join(" or ")}, but ${test.reference.columnId} is ${type}`,
    ]);
  const path = test.valuePath ?? `${test.path}.parameters[1]`;
  return test.value?.map((cell) => {
    if (cell === null) return null;
    if (bins && !aggregation) return readBin(cell, bins, path);
    const isDate = column?.subtype === "date" || formula?.isDate === true;
    const zone = isDate ? "UTC" : timezone;
    const bound = bindCell(cell, type, path, zone);
    refuseInsidePeriod(bound, test, reference, zone, path);
    return bound;
  });
}

/** Rejects a value that no period equals, because no period starts at it. The message does not repeat the value. */
function refuseInsidePeriod(
  bound: Cell,
  { operator }: Test,
  { type, aggregation, requestedLevel: level }: BoundReference,
  zone: string,
  path: string,
): void {
  if (type !== "datetime" || aggregation || !level || operator === "between") return;
  if (!makesTest(operator, "equality")) return;
  const instant = parseInstant(String(bound));
  if (applyFunction("dateTrunc", [level, instant, zone]) === instant) return;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be the start of a ${level} in the time zone ${zone}, because the test compares whole periods. A date without a time, such as 2024-03-01, is the start of that day in this zone; a cell of an answer fits too`,
  ]);
}

/**
 * Converts a value to the form of its column's type. A datetime without a time zone is read on the clock of `timezone`.
 * @throws {ApiError} MEMBER_INVALID
 */
export function bindCell(
  cell: string | number,
  type: DataType,
  path: string,
  timezone: string,
): Cell {
  if (type === "numeric" && typeof cell === "number") return cell;
  if (type === "hierarchy" && typeof cell === "string") return cell;
  if (type === "datetime" && typeof cell === "string") {
    const instant = parseInstantIn(cell, timezone);
    if (!Number.isNaN(instant)) return new Date(instant).toISOString();
    throw new ApiError("MEMBER_INVALID", [
      path,
      "it must be an ISO date or date-time, such as 2024-01-31T00:00:00.000Z",
    ]);
  }
  const wanted = { numeric: "a number", hierarchy: "a string", datetime: "an ISO date-time" }[type];
  throw new ApiError("MEMBER_INVALID", [
    path,
    `the column is ${type}, so the value must be ${wanted}, not ${kindOf(cell)}`,
  ]);
}
