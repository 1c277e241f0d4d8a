import { Value } from "typebox/value";
import { PluginError } from "./errors.ts";
import { isObject } from "./isObject.ts";
import { pairsOf, Query } from "./query.ts";

const depthLimit = 64;
const expressionDepthLimit = 250;

/**
 * Parses the body of /query. It also accepts the forms of the numbered versions: `<>` means `!=`, and `columns`,
 * `filters` and `options` may be missing.
 * @throws {PluginError} PLUGIN_MALFORMED that names the first invalid member
 */
export function parseQuery(body: unknown): Query {
  if (!isObject(body)) throw malformed("the body must be an object");
  const { id, joins, derived, columns, filters, having, order, groupLimit, limit, options } = body;
  if (Array.isArray(filters)) filters.forEach((filter) => checkDepth(filter, 1));
  if (Array.isArray(having)) having.forEach((filter) => checkDepth(filter, 1));
  if (Array.isArray(derived)) derived.forEach(checkExpressionDepth);
  if (Array.isArray(joins)) joins.forEach(checkJoinDepth);
  const query = {
    id,
    ...(joins !== undefined && { joins }),
    ...(derived !== undefined && { derived }),
    columns: columns ?? [],
    filters: Array.isArray(filters) ? filters.map(currentFilter) : (filters ?? []),
    ...(having !== undefined && { having }),
    ...(order !== undefined && { order }),
    ...(groupLimit !== undefined && { groupLimit }),
    ...(limit !== undefined && { limit }),
    options: { pushdown: false, ...(options as object | undefined) },
  };
  if (Value.Check(Query, query)) {
    checkIds(query);
    return query;
  }
  const [error] = Value.Errors(Query, query);
  throw malformed(`${error?.instancePath || "/"} ${error?.message ?? "is not valid"}`);
}

/**
 * Checks that joined and derived columns have distinct ids, and that each join starts from a column that is already
 * defined.
 */
function checkIds({ joins = [], derived = [] }: Query): void {
  const added = [...joins.flatMap(({ columns }) => columns), ...derived].map(({ id }) => id);
  const twice = added.find((id, index) => added.indexOf(id) !== index);
  if (twice !== undefined)
    throw malformed(
      `two joined or derived columns have the id ${JSON.stringify(twice)}; ids must be distinct`,
    );
  for (const join of joins) {
    const own = (join.derived ?? []).map(({ id }) => id);
    const again = own.find((id, index) => own.indexOf(id) !== index);
    if (again !== undefined)
      throw malformed(
        `two derived columns of a join have the id ${JSON.stringify(again)}; ids must be distinct`,
      );
  }
  joins.forEach((join, index) => {
    const later = [...joins.slice(index).flatMap(({ columns }) => columns), ...derived];
    const wrong = pairsOf(join).find(({ left }) => later.some(({ id }) => id === left));
    if (wrong)
      throw malformed(
        `/joins/${index}/left must be a column of the dataset or of an earlier join, not ${JSON.stringify(wrong.left)}`,
      );
  });
}

function currentFilter(filter: unknown): unknown {
  const isOld =
    typeof filter === "object" &&
    filter !== null &&
    "expression" in filter &&
    filter.expression === "<>";
  return isOld ? { ...filter, expression: "!=" } : filter;
}

function checkDepth(value: unknown, depth: number): void {
  if (depth > depthLimit)
    throw malformed(`filters must not be nested deeper than ${depthLimit} levels`);
  if (!isObject(value)) return;
  for (const member of ["and", "or"] as const) {
    const inner = value[member];
    if (Array.isArray(inner)) inner.forEach((each) => checkDepth(each, depth + 1));
  }
}

function checkJoinDepth(join: unknown): void {
  if (!isObject(join)) return;
  const { derived, filters } = join;
  if (Array.isArray(filters)) filters.forEach((filter) => checkDepth(filter, 1));
  if (Array.isArray(derived)) derived.forEach(checkExpressionDepth);
}

function checkExpressionDepth(derived: unknown): void {
  const check = (expression: unknown, depth: number): void => {
    if (depth > expressionDepthLimit)
      throw malformed(`expressions must not be nested deeper than ${expressionDepthLimit} levels`);
    if (typeof expression !== "object" || expression === null || !("args" in expression)) return;
    const { args } = expression;
    if (Array.isArray(args)) args.forEach((each) => check(each, depth + 1));
  };
  if (typeof derived === "object" && derived !== null && "expression" in derived)
    check(derived.expression, 1);
}

function malformed(detail: string): PluginError {
  return new PluginError("PLUGIN_MALFORMED", [detail]);
}
