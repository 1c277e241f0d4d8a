import { ApiError, isObject } from "../../base/index.ts";
import type { QueryLimits } from "../limits.ts";
import type { ParsedFrom, ParsedQuery } from "../parsedQuery.ts";
import { isNeutral, memberPath, quote, readId, readList, readMembers } from "./readMembers.ts";

/** Maximum characters of a name. */
const nameLength = 100;

/**
 * Parses `from: {query, columns}`: the inner query, and a name for each of its dimensions and measures. `parseInner`
 * parses the inner query, which may have a `from` of its own.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, and the errors of `parseInner`
 */
export function parseFrom(
  value: unknown,
  path: string,
  { fromDepth }: Pick<QueryLimits, "fromDepth">,
  parseInner: (inner: unknown, innerPath: string) => ParsedQuery,
): ParsedFrom | undefined {
  if (value === undefined || value === null) return undefined;
  const members = readMembers(value, path, ["query", "columns"]);
  if (depthOf(value) > fromDepth)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `queries may be nested at most ${fromDepth} deep; use fewer inner queries`,
    ]);
  const queryPath = memberPath(path, "query");
  if (members.query === undefined || members.query === null)
    throw new ApiError("MEMBER_MISSING", [
      queryPath,
      "the query whose answer is read: {dimensions, measures, …}",
    ]);
  refuseWithoutEffect(members.query, queryPath);
  const query = parseInner(members.query, queryPath);
  const { dimensions, measures } = query;
  const at = memberPath(path, "columns");
  const wanted = dimensions.length + measures.length;
  const given = readList(members.columns, at);
  if (given.length !== wanted)
    throw new ApiError(given.length === 0 ? "MEMBER_MISSING" : "MEMBER_INVALID", [
      at,
      `a list of ${wanted} names, for the dimensions and then the measures of ${queryPath}${given.length === 0 ? "" : `; it has ${given.length}`}`,
    ]);
  const columns: string[] = [];
  for (const [index, each] of given.entries())
    columns.push(parseName(each, `${at}[${index}]`, columns));
  return { path, query, columns };
}

function parseName(value: unknown, path: string, taken: readonly string[]): string {
  const name = readId(value, path);
  const isPlain = name.trim() === name && /^[^{}:\p{Cc}\p{Cs}]+$/u.test(name);
  if (!isPlain || name.length > nameLength || name === "*")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be a name of at most ${nameLength} characters such as "orders", without { } : or control characters and without white space around it`,
    ]);
  if (taken.includes(name))
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${quote(name)} already names another column; names must differ`,
    ]);
  return name;
}

/** Rejects members that only have an effect on the answer that the caller receives. */
function refuseWithoutEffect(query: unknown, path: string): void {
  if (!isObject<"explain" | "options">(query)) return;
  const { explain, options } = query;
  const cells = isObject<"cells">(options) ? options.cells : undefined;
  const member = !isNeutral(explain) ? "explain" : isNeutral(cells) ? undefined : "options.cells";
  if (member !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      memberPath(path, member),
      "it has no effect in an inner query; set it in the outermost query",
    ]);
}

/** Returns the number of inner queries, each the `from` of the previous one. */
function depthOf(from: unknown): number {
  let depth = 0;
  for (let each = from; isObject<"query">(each); depth++)
    each = isObject<"from">(each.query) ? each.query.from : undefined;
  return depth;
}
