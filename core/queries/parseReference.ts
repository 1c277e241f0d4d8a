import {
  aggregations,
  levels,
  type Aggregation,
  type Level,
} from "../../plugins/protocol/index.ts";
import { ApiError } from "../errors.ts";
import { kindOf, memberPath, quote, readMembers, readText, type Members } from "./members.ts";
import type { Reference } from "./question.ts";

/** Members of the grammar that no query may use yet. Their neutral values are what clients send by default. */
const unserved = [
  "discretization",
  "expression",
  "formula",
  "formula_id",
  "include_nonoccurring",
  "unnest",
];
const referenceMembers = [
  "column_id",
  "dataset_id",
  "level",
  "lowestLevel",
  "aggregation",
  ...unserved,
];
const aggregationMembers = [
  "type",
  "dataset_id",
  "column_id",
  "level",
  "discretization",
  "expression",
  "unnest",
];
const unservedAggregations = new Set([
  "median",
  "stddev",
  "cumulativesum",
  "weightedaverage",
  "rate",
  "histogram",
]);

/**
 * Reads a mention of a column: `{column_id, dataset_id, level?, aggregation?}`. `lowestLevel` is an
 * echo of the column's record and does not count.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, QUERY_NOT_SERVED
 */
export function parseReference(
  value: unknown,
  path: string,
  more: readonly string[] = [],
): Reference {
  const members = readMembers(value, path, [...referenceMembers, ...more]);
  refuseUnserved(members, path, unserved);
  const columnId = readText(members["column_id"], `${path}.column_id`);
  const datasetId = members["dataset_id"];
  return {
    path,
    columnId,
    datasetId:
      columnId === "*" && (datasetId === undefined || datasetId === null)
        ? undefined
        : readText(datasetId, `${path}.dataset_id`),
    level: parseLevel(members["level"], `${path}.level`),
    aggregation: parseAggregation(members["aggregation"], `${path}.aggregation`),
  };
}

function parseLevel(value: unknown, path: string): Level | undefined {
  if (value === undefined || value === null) return undefined;
  const level = typeof value === "number" ? levels[value - 1] : undefined;
  if (!level)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be one of ${levels.map((word, index) => `${index + 1} (${word})`).join(", ")}`,
    ]);
  return level;
}

function parseAggregation(value: unknown, path: string): Aggregation | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return readAggregation(value, path);
  const members = readMembers(value, path, aggregationMembers);
  const aggregation = readAggregation(members["type"], `${path}.type`);
  refuseUnserved(members, path, aggregationMembers.slice(1));
  return aggregation;
}

function readAggregation(value: unknown, path: string): Aggregation {
  const name = readText(value, path);
  if (unservedAggregations.has(name))
    throw new ApiError("QUERY_NOT_SERVED", [
      path,
      `${name}; there are: ${aggregations.join(", ")}`,
    ]);
  const aggregation = aggregations.find((known) => known === name);
  if (!aggregation)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `there is no ${quote(name)}; there are: ${aggregations.join(", ")}`,
    ]);
  return aggregation;
}

function refuseUnserved(members: Members, path: string, names: readonly string[]): void {
  for (const name of names)
    if (!isNeutral(members[name]))
      throw new ApiError("QUERY_NOT_SERVED", [
        memberPath(path, name),
        `${kindOf(members[name])} was given; leave it out`,
      ]);
}

function isNeutral(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && (value as Members)["type"] === "none";
}
