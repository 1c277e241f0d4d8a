import { ApiError, type Members } from "../../base/index.ts";
import {
  calculationTypes,
  isCalculationType,
  isComparison,
  type CalculationType,
} from "../calculationTypes.ts";
import type { ParsedCalculation, Reference } from "../parsedQuery.ts";
import { isNeutral, quote, readBoolean, readList, readMembers, readText } from "./readMembers.ts";
import { parseLevel } from "./parseLevel.ts";

const comparisonMembers = [
  "dataset_id",
  "via",
  "column_id",
  "level",
  "quantity",
  "period_to_date",
] as const;
const groupMembers = ["per", "order"] as const;
const calculationMembers = [...comparisonMembers, ...groupMembers] as const;
/** The members that a share of the total cannot have. */
const unranked = [...comparisonMembers, "order"] as const;
const members = ["type", ...calculationMembers] as const;

/** Maximum number of periods between the compared periods. */
const mostPeriods = 100_000;
/** Maximum number of dimensions in `per`. */
const mostPer = 20;

/**
 * Parses the calculation of a measure: `{type: "past", level?, quantity?, period_to_date?, dataset_id?, via?,
 * column_id?}`, or `{type: "share_of_total", per?}`, or `{type: "rank", per?, order?}`. Undefined if there is none.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING
 */
export function parseCalculation(
  value: unknown,
  path: string,
  parseReference: (value: unknown, path: string) => Reference,
): ParsedCalculation | undefined {
  if (isNeutral(value)) return undefined;
  const given = readMembers<(typeof members)[number]>(value, path, members);
  const type = readType(given.type, `${path}.type`);
  const named = calculationMembers.filter((member) => !isNeutral(given[member]));
  if (!isComparison(type)) {
    refuseOthers(given, type === "rank" ? comparisonMembers : unranked, type, path);
    return {
      path,
      type,
      named,
      per: readPer(given.per, `${path}.per`, parseReference),
      isAscending: readOrder(given.order, `${path}.order`),
    };
  }
  refuseOthers(given, groupMembers, type, path);
  const { dataset_id: datasetId, via, column_id: columnId } = given;
  const isNamed = [datasetId, via, columnId].some((each) => !isNeutral(each));
  return {
    path,
    type,
    named,
    ...(isNamed && {
      reference: parseReference({ dataset_id: datasetId, via, column_id: columnId }, path),
    }),
    unit: parseLevel(given.level, `${path}.level`) ?? "period",
    quantity: readQuantity(given.quantity, `${path}.quantity`),
    isToDate: readBoolean(given.period_to_date, `${path}.period_to_date`, false),
  };
}

function readType(value: unknown, path: string): CalculationType {
  const name = readText(value, path);
  if (isCalculationType(name)) return name;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be one of ${Object.keys(calculationTypes).join(", ")}, not ${quote(name)}`,
  ]);
}

function refuseOthers(
  given: Members<(typeof members)[number]>,
  others: readonly (typeof members)[number][],
  type: CalculationType,
  path: string,
): void {
  const found = others.find((member) => !isNeutral(given[member]));
  if (found === undefined) return;
  throw new ApiError("MEMBER_INVALID", [
    `${path}.${found}`,
    `${type} cannot have it; leave it out`,
  ]);
}

function readPer(
  value: unknown,
  path: string,
  parseReference: (value: unknown, path: string) => Reference,
): readonly Reference[] {
  if (isNeutral(value)) return [];
  const given = readList(value, path);
  if (given.length > mostPer)
    throw new ApiError("MEMBER_INVALID", [path, `it must list at most ${mostPer} dimensions`]);
  return given.map((entry, index) => parseReference(entry, `${path}[${index}]`));
}

function readOrder(order: unknown, path: string): boolean {
  if (isNeutral(order)) return false;
  if (order === "asc" || order === "desc") return order === "asc";
  throw new ApiError("MEMBER_INVALID", [
    path,
    "it must be desc, so that the largest value has the place 1, or asc",
  ]);
}

function readQuantity(value: unknown, path: string): number {
  if (isNeutral(value)) return 1;
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= mostPeriods)
    return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a whole number of periods from 1 to ${mostPeriods}`,
  ]);
}
