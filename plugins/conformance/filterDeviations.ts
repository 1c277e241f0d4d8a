import {
  type Cell,
  type DataType,
  type Operator,
  operatorDefinitions,
  operators,
} from "../protocol/index.ts";
import type { Claim } from "./claims.ts";
import { hasOperator, hasTests, isOf, isTest } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";
import { passesRange, type Semantics } from "./semantics.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Returns whether null passes an operator for the sole reason that the operator is negative. */
const isNegative = (operator: Operator): boolean => {
  const { complementOf, tests } = operatorDefinitions[operator];
  // "is not null" is the only negative operator that must drop null.
  return complementOf !== undefined && tests !== "null";
};

const isOfNegative = (claim: Claim): boolean =>
  claim.kind === "filter" && isNegative(claim.operator);
const isOfType = (type: DataType) => (claim: Claim) =>
  claim.kind === "filter" && claim.type === type;

/** Creates a deviation that changes cells and values of one type before they are tested. */
function reading(
  does: string,
  type: DataType,
  read: (cell: Cell, side: "cell" | "value") => Cell,
): Deviation {
  const semantics: Partial<Semantics> = {
    readTested: (cell, tested, side) => (tested === type ? read(cell, side) : cell),
  };
  return {
    does,
    semantics,
    concerns: isOfType(type),
    touches: hasTests,
    limitedTo: type,
    isOnlyNamed: true,
  };
}

/**
 * Applies a change to the milliseconds of a datetime. Null, and instants outside the range of a Date, stay unchanged.
 */
function changedMs(cell: Cell, change: (ms: number) => number): Cell {
  if (typeof cell !== "string") return cell;
  const ms = change(Date.parse(cell));
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : cell;
}

const shifts = Array.from({ length: 14 }, (_, at) => at + 1).flatMap((hours) => [hours, -hours]);

/** Known deviations in the tests of single values. */
export const filterDeviations: readonly Deviation[] = [
  ...operators.map((operator): Deviation => ({
    does: `ignores the operator ${operator}`,
    semantics: { ignoredOperators: new Set([operator]) },
    concerns: (claim) =>
      claim.kind === "filter" && claim.operator === operator && !claim.isSuperset,
    touches: hasOperator(new RegExp(`^${RegExp.escape(operator)}$`)),
  })),
  ...operators.filter(isNegative).map((operator): Deviation => ({
    does: `drops rows with null under ${operator}`,
    semantics: { negativePassesNull: (given) => given !== operator },
    concerns: (claim) => claim.kind === "filter" && claim.operator === operator,
    touches: hasOperator(new RegExp(`^${RegExp.escape(operator)}$`)),
    limitedTo: "any",
    isOnlyNamed: true,
  })),
  {
    does: "drops rows with null under negative operators",
    semantics: { negativePassesNull: () => false },
    limitedTo: "any",
    concerns: isOfNegative,
    touches: hasTests,
  },
  {
    does: "includes equal values in < and >",
    semantics: {
      passesRange: (operator, sign) =>
        passesRange(operator === "<" ? "<=" : operator === ">" ? ">=" : operator, sign),
    },
    concerns: (claim) => isTest(claim, /^[<>]$/),
    touches: hasOperator(/^[<>]/),
  },
  {
    does: "excludes equal values from <= and >=",
    semantics: {
      passesRange: (operator, sign) =>
        passesRange(operator === "<=" ? "<" : operator === ">=" ? ">" : operator, sign),
    },
    concerns: (claim) => isTest(claim, /^[<>]=$/),
    touches: hasOperator(/^[<>]/),
    isOnlyNamed: true,
  },
  {
    does: "swaps the sides of <, <=, > and >=",
    semantics: { passesRange: (operator, sign) => passesRange(operator, -sign) },
    concerns: (claim) => isTest(claim, /^[<>]=?$/),
    touches: hasOperator(/^[<>]/),
    isOnlyNamed: true,
  },
  {
    does: "lets NaN pass >",
    semantics: { nanPassesGreater: true },
    concerns: (claim) => isTest(claim, /^>=?$/, "numeric"),
    touches: hasOperator(/^>/),
  },
  {
    does: "ignores null in lists",
    semantics: { readList: (list) => list.filter((each) => each !== null) },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
    touches: hasOperator(/in$/),
  },
  {
    does: "lets no row pass if the list of not in contains null",
    semantics: { nullInListPassesNone: true },
    concerns: (claim) => isTest(claim, /^not in$/),
    touches: hasOperator(/^not in$/),
    isOnlyNamed: true,
  },
  {
    does: "lets no row pass if the list of not in contains null, and drops rows with null under negative operators",
    semantics: {
      nullInListPassesNone: true,
      negativePassesNull: () => false,
      readList: (list) => list.filter((each) => each !== null),
    },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
    touches: hasOperator(/^(!=|not .*|in)$/),
    isOnlyNamed: true,
  },
  {
    does: "lets every row pass if the list of in or not in is empty",
    semantics: { emptyListsPassAll: true },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
    touches: hasOperator(/in$/),
    isOnlyNamed: true,
  },
  {
    does: "applies only the first value of a list",
    semantics: { readList: (list) => list.slice(0, 1) },
    concerns: (claim) => isTest(claim, /^(not )?in$/),
    touches: hasOperator(/in$/),
    isOnlyNamed: true,
  },
  {
    does: "ignores levels in filters",
    semantics: { ignoresFilterLevels: true },
    concerns: isOf("filterLevels"),
    touches: hasTests,
  },
  reading("treats null as an empty string in filters", "hierarchy", (cell, side) =>
    side === "cell" ? (cell ?? "") : cell,
  ),
  reading("treats empty strings as null in filters", "hierarchy", (cell) =>
    cell === "" ? null : cell,
  ),
  reading("treats null as 0 in filters", "numeric", (cell, side) =>
    side === "cell" ? (cell ?? 0) : cell,
  ),
  reading("truncates the numbers in filters to whole numbers", "numeric", (cell, side) =>
    typeof cell === "number" && side === "value" ? Math.trunc(cell) : cell,
  ),
  reading("compares numbers as whole numbers", "numeric", (cell) =>
    typeof cell === "number" ? Math.trunc(cell) : cell,
  ),
  reading("compares numbers as 32-bit floats", "numeric", (cell) =>
    typeof cell === "number" ? Math.fround(cell) : cell,
  ),
  reading("drops the milliseconds of the datetimes in filters", "datetime", (cell, side) =>
    side === "value" ? changedMs(cell, (ms) => Math.floor(ms / 1000) * 1000) : cell,
  ),
  reading("compares datetimes as whole seconds", "datetime", (cell) =>
    changedMs(cell, (ms) => Math.floor(ms / 1000) * 1000),
  ),
  reading("drops the time of the datetimes in filters", "datetime", (cell, side) =>
    side === "value" ? changedMs(cell, (ms) => Math.floor(ms / dayMs) * dayMs) : cell,
  ),
  reading("compares the days of datetimes, without the time", "datetime", (cell) =>
    changedMs(cell, (ms) => Math.floor(ms / dayMs) * dayMs),
  ),
  ...[1, -1].map((days) =>
    reading(`moves the datetimes in filters by ${days} day`, "datetime", (cell, side) =>
      side === "value" ? changedMs(cell, (ms) => ms + days * dayMs) : cell,
    ),
  ),
  ...shifts.map((hours) =>
    reading(
      `moves the datetimes in filters by ${hours} ${Math.abs(hours) === 1 ? "hour" : "hours"}`,
      "datetime",
      (cell, side) => (side === "value" ? changedMs(cell, (ms) => ms + hours * hourMs) : cell),
    ),
  ),
];
