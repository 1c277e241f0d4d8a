import { ApiError, isList, isObject, type Members } from "../../base/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

const queryMembers = ["dimensions", "measures", "where", "having", "order", "limit"];
const referenceMembers = [
  "dataset_id",
  "column_id",
  "formula_id",
  "level",
  "aggregation",
  "discretization",
  "order",
];

/** Maximum rows per answer. We request one more to detect truncation. */
export const answerRows = 1_000;
const mostReferences = 20;

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
  const query = objectOf(given, "query", queryMembers);
  const { limit } = query;
  for (const member of ["dimensions", "measures", "order"])
    for (const [index, each] of listOf(query[member], member).entries())
      checkReference(each, `${member}[${index}]`, datasets);
  for (const member of ["where", "having"])
    for (const [index, each] of listOf(query[member], member).entries())
      checkTest(each, `${member}[${index}]`, datasets, 0);
  const by = isObject<"by">(limit) && typeof limit.by === "number" ? limit.by : answerRows + 1;
  return {
    ...query,
    limit: { by: Math.min(Math.max(1, Math.floor(by)), answerRows + 1) },
    options: {
      cells: "plain",
      ...(timezoneId !== undefined && { timezone_id: timezoneId }),
      ...(localeId !== undefined && { locale_id: localeId }),
    },
  };
}

function checkReference(given: unknown, path: string, datasets: readonly KnownDataset[]): void {
  const members = objectOf(given, path, referenceMembers);
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
  const { aggregation } = members;
  if (isObject(aggregation)) objectOf(aggregation, `${path}.aggregation`, ["type"]);
}

function checkTest(
  given: unknown,
  path: string,
  datasets: readonly KnownDataset[],
  depth: number,
): void {
  const members = objectOf(given, path, ["expression", "parameters", "and", "or"]);
  if (depth > 4)
    throw new ApiError("MEMBER_INVALID", [path, "groups must not be nested deeper than 4 levels"]);
  for (const group of ["and", "or"])
    for (const [index, each] of listOf(members[group], `${path}.${group}`).entries())
      checkTest(each, `${path}.${group}[${index}]`, datasets, depth + 1);
  for (const [index, each] of listOf(members.parameters, `${path}.parameters`).entries())
    if (isObject(each) && !isPeriods(each))
      checkReference(each, `${path}.parameters[${index}]`, datasets);
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
