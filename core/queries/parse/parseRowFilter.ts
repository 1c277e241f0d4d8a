import { ApiError, memberNames, type RowFilter } from "../../base/index.ts";
import { readMembers, readText } from "./readMembers.ts";
import { RowFilter as Declared } from "./rowFilterSchemas.ts";

const members = memberNames(Declared);

/** The clauses that a token's filters can have. Filter groups and shares have only `where`. */
export type FilterClause = RowFilter["clause"];

/**
 * Parses one row filter: `{clause, origin: "global", securable_id, column_id, expression, value}`. `clause` must be one
 * of `clauses` and defaults to `where`; `origin` is optional.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_MISSING, MEMBER_INVALID with the path of the member
 */
export function parseRowFilter(
  value: unknown,
  path: string,
  clauses: readonly FilterClause[] = ["where"],
): RowFilter {
  const given = readMembers(value, path, members);
  const clause = clauses.find((each) => each === (given.clause ?? "where"));
  if (!clause)
    throw new ApiError("MEMBER_INVALID", [`${path}.clause`, `it must be ${clauses.join(" or ")}`]);
  if ((given.origin ?? "global") !== "global")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.origin`,
      "it must be global: a row filter applies to every query of its dataset",
    ]);
  return {
    clause,
    origin: "global",
    securable_id: readText(given.securable_id, `${path}.securable_id`).toLowerCase(),
    column_id: readText(given.column_id, `${path}.column_id`).toLowerCase(),
    expression: readText(given.expression, `${path}.expression`),
    ...(given.value !== undefined && { value: given.value }),
  };
}
