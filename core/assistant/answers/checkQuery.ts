import { ApiError, isList, isObject, type Members } from "../../base/index.ts";
import { fromId } from "../../queries/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";
import { queryMembers, referenceMembers } from "./querySchema.ts";

/** Maximum rows per answer. We request one more to detect truncation. */
export const answerRows = 1_000;
const mostReferences = 20;
/** The members of an aggregation that the model may use. */
const aggregationMembers = [
  "type",
  "fraction",
  "per",
  "dataset_id",
  "column_id",
  "via",
  "discretization",
] as const;

/** Options of a query that come from the caller, never from the model. */
export interface CallerOptions {
  readonly timezoneId?: string | undefined;
  readonly localeId?: string | undefined;
}

/**
 * Restricts a model's query to the datasets that the model was given, even if the caller may read others. Ids of other
 * datasets and all expressions are refused, and the number of rows is limited. The query is then validated like any
 * other.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function checkQuery(
  given: unknown,
  datasets: readonly KnownDataset[],
  { timezoneId, localeId }: CallerOptions = {},
): Members {
  const { limit, ...query } = checkClauses(given, "", datasets, undefined);
  const by = isObject<"by">(limit) && typeof limit.by === "number" ? limit.by : answerRows + 1;
  return {
    ...query,
    limit: {
      ...(isObject(limit) && limit),
      by: Math.min(Math.max(1, Math.floor(by)), answerRows + 1),
    },
    options: {
      cells: "plain",
      ...(timezoneId !== undefined && { timezone_id: timezoneId }),
      ...(localeId !== undefined && { locale_id: localeId }),
    },
  };
}

/** The datasets whose columns a query may use, and the names of the columns of its inner query. */
interface Scope {
  readonly datasets: readonly KnownDataset[];
  readonly names: readonly string[] | undefined;
}

/** Checks the clauses of a query, and of its inner query. `outer` is the query that contains it. */
function checkClauses(
  given: unknown,
  prefix: string,
  datasets: readonly KnownDataset[],
  outer: unknown,
): Members {
  const query = objectOf(given, prefix === "" ? "query" : prefix.slice(0, -1), queryMembers);
  const { from, limit } = query;
  const scope: Scope = { datasets, names: undefined };
  const at = (member: string) => `${prefix}${member}`;
  if (from !== undefined && outer !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      at("from"),
      "an inner query must not have one; leave it out",
    ]);
  const inner = from === undefined ? undefined : objectOf(from, at("from"), ["query", "columns"]);
  if (inner) checkClauses(inner.query, at("from.query."), datasets, query);
  const names = inner && listOf(inner.columns, at("from.columns")).map(String);
  const own: Scope = names ? { datasets: [], names } : scope;
  const page = isObject<"per">(limit) ? limit : {};
  for (const [member, list] of [
    ["dimensions", query.dimensions],
    ["measures", query.measures],
    ["order", query.order],
    ["limit.per", page.per],
  ] as const)
    for (const [index, each] of listOf(list, at(member)).entries())
      checkReference(each, `${at(member)}[${index}]`, own);
  for (const member of ["where", "having"])
    for (const [index, each] of listOf(query[member], at(member)).entries())
      checkTest(each, `${at(member)}[${index}]`, own, 0);
  return query;
}

function checkReference(given: unknown, path: string, scope: Scope): void {
  const members = objectOf(given, path, referenceMembers);
  checkAggregation(members.aggregation, `${path}.aggregation`, scope);
  const { datasets, names } = scope;
  if (names) {
    if (members.dataset_id !== fromId) throw unknown(`${path}.dataset_id`, "dataset");
    if (members.column_id !== "*" && !names.some((name) => name === members.column_id))
      throw unknown(`${path}.column_id`, "column");
    return;
  }
  const { dataset_id: datasetId, column_id: columnId, formula_id: formulaId } = members;
  const dataset = datasets.find(({ id }) => id === datasetId);
  if (!dataset) throw unknown(`${path}.dataset_id`, "dataset");
  const isFormula = formulaId !== undefined;
  const { columns, formulas } = dataset;
  const known: readonly { readonly id: string }[] = isFormula ? formulas : columns;
  const id = isFormula ? formulaId : columnId;
  if (id !== "*" && !known.some((each) => each.id === id))
    throw unknown(
      `${path}.${isFormula ? "formula_id" : "column_id"}`,
      isFormula ? "formula" : "column",
    );
  const isLinked = datasets.some((each) =>
    each.columns.some((column) => column.id === members.via),
  );
  if (members.via !== undefined && !isLinked) throw unknown(`${path}.via`, "column");
}

/** Checks the other columns of an aggregation: weights, the other number, or the dimensions of a cumulative sum. */
function checkAggregation(given: unknown, path: string, scope: Scope): void {
  if (!isObject(given)) return;
  const { type: _, fraction: __, per, ...second } = objectOf(given, path, aggregationMembers);
  for (const [index, each] of listOf(per, `${path}.per`).entries())
    checkReference(each, `${path}.per[${index}]`, scope);
  if (Object.keys(second).length > 0) checkReference(second, path, scope);
}

function checkTest(given: unknown, path: string, scope: Scope, depth: number): void {
  const members = objectOf(given, path, ["expression", "parameters", "and", "or"]);
  if (depth > 4)
    throw new ApiError("MEMBER_INVALID", [path, "groups must not be nested deeper than 4 levels"]);
  for (const group of ["and", "or"])
    for (const [index, each] of listOf(members[group], `${path}.${group}`).entries())
      checkTest(each, `${path}.${group}[${index}]`, scope, depth + 1);
  for (const [index, each] of listOf(members.parameters, `${path}.parameters`).entries())
    if (isObject(each) && !isPeriods(each))
      checkReference(each, `${path}.parameters[${index}]`, scope);
    else if (isList(each) && each.some((value) => typeof value === "object" && value !== null))
      throw new ApiError("MEMBER_INVALID", [
        `${path}.parameters[${index}]`,
        "must be a list of plain values",
      ]);
}

/** Returns whether an object is the value of a filter on relative periods. */
function isPeriods(value: Members): boolean {
  return Object.keys(value).every((member) => member === "unit" || member === "quantity");
}

function unknown(path: string, kind: string): ApiError {
  return new ApiError("MEMBER_INVALID", [
    path,
    `must be the id of a ${kind} that you were given; use an id from the data`,
  ]);
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!isList(value)) throw new ApiError("MEMBER_INVALID", [path, "must be a list"]);
  if (path !== "parameters" && value.length > mostReferences)
    throw new ApiError("MEMBER_INVALID", [path, `must have at most ${mostReferences} entries`]);
  return value;
}

function objectOf<Name extends string>(
  value: unknown,
  path: string,
  known: readonly Name[],
): Members<Name> {
  if (!isObject<Name>(value)) throw new ApiError("MEMBER_INVALID", [path, "must be an object"]);
  const other = Object.keys(value).find((member) => !known.some((each) => each === member));
  if (other !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`${path}.${other.slice(0, 60)}`, known.join(", ")]);
  return value;
}
