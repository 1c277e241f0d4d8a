import { ApiError, kindOf } from "../../base/index.ts";
import { divideRange } from "./divideRange.ts";
import { isNeutral, quote, readMembers, readText } from "./readMembers.ts";
import type { Bins } from "../parsedQuery.ts";

const mostBins = 10_000;

/**
 * Parses a discretization. `{type: "linear", size}` means bins of that width, aligned to 0 or to the low end of `over:
 * [low, high]`. `{type: "linear", bins, over?}` means that number of bins over `over`, or over the values in the
 * query's rows.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING, MEMBER_UNKNOWN, QUERY_NOT_SERVED
 */
export function parseBins(value: unknown, path: string): Bins | undefined {
  if (isNeutral(value)) return undefined;
  const members = readMembers(value, path, ["type", "bins", "size", "over"]);
  const type = readText(members.type, `${path}.type`);
  if (type === "powerset")
    throw new ApiError("QUERY_NOT_SERVED", [
      `${path}.type`,
      "bins of type powerset are not supported; use linear",
    ]);
  if (type !== "linear")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.type`,
      `it must be none or linear, not ${quote(type)}`,
    ]);
  const { bins, size } = members;
  if (isNeutral(bins) === isNeutral(size))
    throw new ApiError("MEMBER_INVALID", [
      path,
      "it must have either bins (the number of bins) or size (their width), not both",
    ]);
  const over = parseOver(members.over, `${path}.over`);
  if (!isNeutral(size)) return { width: readWidth(size, `${path}.size`), origin: over?.low ?? 0 };
  if (typeof bins !== "number" || !Number.isInteger(bins) || bins < 1 || bins > mostBins)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.bins`,
      `it must be a whole number from 1 to ${mostBins}`,
    ]);
  if (!over) return { count: bins };
  return {
    width: readWidth(divideRange(over.low, over.high, bins), `${path}.over`),
    origin: over.low,
  };
}

function readWidth(value: unknown, path: string): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `the width of bins must be above 0${typeof value === "number" ? "" : `, not ${kindOf(value)}`}`,
  ]);
}

function parseOver(value: unknown, path: string) {
  if (isNeutral(value)) return undefined;
  const [low, high, ...rest]: unknown[] = Array.isArray(value) ? value : [];
  const isRange = typeof low === "number" && typeof high === "number" && rest.length === 0;
  if (isRange && Number.isFinite(low) && Number.isFinite(high) && low < high) return { low, high };
  throw new ApiError("MEMBER_INVALID", [
    path,
    "it must be a list of two numbers, the lower one first",
  ]);
}
