import {
  aggregations,
  type Aggregation,
  type AggregationArgument,
  aggregationDefinitions,
} from "../../../plugins/protocol/index.ts";
import { ApiError, kindOf, type Members } from "../../base/index.ts";
import { ExpressionError, listReferences } from "../expressions/index.ts";
import {
  isEmpty,
  isNeutral,
  memberPath,
  quote,
  readBoolean,
  readId,
  readList,
  readMembers,
  readText,
} from "./readMembers.ts";
import { parseBins } from "./parseBins.ts";
import { parseCalculation } from "./parseCalculation.ts";
import { parseLevel } from "./parseLevel.ts";
import type { Reference } from "../parsedQuery.ts";
import { roleId } from "../roles.ts";

const referenceMembers = [
  "column_id",
  "dataset_id",
  "via",
  "level",
  "lowestLevel",
  "discretization",
  "include_nonoccurring",
  "expression",
  "formula",
  "formula_id",
  "aggregation",
  "calculation",
  "unnest",
] as const;
const secondMembers = [
  "dataset_id",
  "via",
  "column_id",
  "expression",
  "level",
  "discretization",
] as const;
const aggregationMembers = ["type", "fraction", "per", "unnest", ...secondMembers] as const;
/** For each argument of an aggregation, the members that may contain it. */
const argumentMembers: Readonly<Record<AggregationArgument, readonly string[]>> = {
  fraction: ["fraction"],
  weight: secondMembers,
  other: secondMembers,
};
/** Returns the members that contain the argument of an aggregation. */
const membersOf = (name: Aggregation): readonly string[] => {
  const { takes } = aggregationDefinitions[name];
  return takes ? argumentMembers[takes] : [];
};
/** Maximum number of dimensions in `per`. */
const mostPer = 20;
/** Aggregations that the grammar accepts but that are not supported. */
const undefinedAggregations = new Set(["rate", "histogram"]);

/**
 * Parses a reference to a column, an inline derived column, or a formula. Forms: `{column_id, dataset_id, via?, level?,
 * discretization?, aggregation?}`; `{expression, column_id?, dataset_id?, …}`; `{formula}` or `{formula_id}`. An
 * aggregation is a name, or `{type, fraction?, column_id?, dataset_id?, expression?, discretization?}` with the
 * fraction of a percentile, the weights of a weighted average or the other column of a correlation. `lowestLevel` is
 * ignored. `include_nonoccurring` applies only to dimensions.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, QUERY_NOT_SERVED
 */
export function parseReference(
  value: unknown,
  path: string,
  more: readonly "order"[] = [],
): Reference {
  const members = readMembers<(typeof referenceMembers)[number] | "order">(value, path, [
    ...referenceMembers,
    ...more,
  ]);
  refuseUnnest(members, path);
  const isComplete = readBoolean(
    members.include_nonoccurring,
    `${path}.include_nonoccurring`,
    false,
  );
  const bins = parseBins(members.discretization, `${path}.discretization`);
  const calculation = parseCalculation(
    members.calculation,
    `${path}.calculation`,
    (column, columnPath) => parseReference(column, columnPath),
  );
  return {
    path,
    ...parseIdentity(members, path),
    level: parseLevel(members.level, `${path}.level`),
    ...parseAggregation(members.aggregation, `${path}.aggregation`),
    ...(bins && { bins }),
    ...(isComplete && { isComplete: true as const }),
    ...(calculation && { calculation }),
  };
}

type Identity = Pick<
  Reference,
  "columnId" | "datasetId" | "via" | "expression" | "formula" | "formulaId"
>;

/** Parses the column of a reference, and the column through which the query reaches its dataset. */
function parseIdentity(
  members: Members<"dataset_id" | "expression" | "column_id" | "via">,
  path: string,
): Identity {
  const identity = parseColumn(members, path);
  if (isNeutral(members.via)) return identity;
  const via = readId(members.via, `${path}.via`);
  const { datasetId } = identity;
  if (datasetId === undefined || isNeutral(members.dataset_id))
    throw new ApiError("MEMBER_MISSING", [
      `${path}.dataset_id`,
      "the dataset that the query reaches through the column in via",
    ]);
  return { ...identity, datasetId: roleId({ datasetId, via }), via };
}

function parseColumn(
  members: Members<"dataset_id" | "expression" | "column_id">,
  path: string,
): Identity {
  const datasetId = members.dataset_id;
  const formula = parseFormula(members, path);
  if (formula) return formula;
  if (isNeutral(members.expression)) {
    if (members.column_id === undefined || members.column_id === null)
      throw new ApiError("MEMBER_MISSING", [
        `${path}.column_id`,
        "the id of a column; or send an expression instead",
      ]);
    const columnId = readId(members.column_id, `${path}.column_id`);
    if (datasetId !== undefined && datasetId !== null)
      return { columnId, datasetId: readId(datasetId, `${path}.dataset_id`) };
    if (columnId === "*") return { columnId, datasetId: undefined };
    throw new ApiError("MEMBER_MISSING", [
      `${path}.dataset_id`,
      "the id of the dataset to which the column belongs",
    ]);
  }
  const expression = readText(members.expression, `${path}.expression`);
  const columnId = isNeutral(members.column_id)
    ? expression
    : readId(members.column_id, `${path}.column_id`);
  if (columnId === "*")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.column_id`,
      'it cannot be "*" together with an expression; leave it out',
    ]);
  if (!isNeutral(datasetId))
    return { columnId, expression, datasetId: readId(datasetId, `${path}.dataset_id`) };
  const [first] = referencesOf(expression, `${path}.expression`);
  if (!first)
    throw new ApiError("MEMBER_MISSING", [
      `${path}.dataset_id`,
      "the dataset whose rows the expression reads",
    ]);
  return { columnId, expression, datasetId: first.datasetId };
}

/** Members of a column reference that a formula cannot have. */
const notOfFormulas = ["column_id", "expression", "aggregation", "level", "discretization"];

function parseFormula(members: Members<"dataset_id">, path: string) {
  const [name, other] = ["formula", "formula_id"].filter((each) => !isNeutral(members[each]));
  if (name === undefined) return undefined;
  const unwanted = other ?? notOfFormulas.find((each) => !isNeutral(members[each]));
  if (unwanted !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.${unwanted}`,
      `a measure with ${name} cannot have it; leave it out`,
    ]);
  const text = (name === "formula" ? readText : readId)(members[name], `${path}.${name}`);
  const given = members.dataset_id;
  const datasetId = isNeutral(given) ? undefined : readId(given, `${path}.dataset_id`);
  if (name === "formula_id") return { columnId: text, datasetId, formulaId: text };
  const [first] = referencesOf(text, `${path}.formula`);
  return { columnId: text, datasetId: datasetId ?? first?.datasetId, formula: text };
}

/**
 * Lists the columns that an expression references.
 * @throws {ApiError} MEMBER_INVALID if the expression cannot be parsed
 */
export function referencesOf(expression: string, path: string): ReturnType<typeof listReferences> {
  try {
    return listReferences(expression);
  } catch (failure) {
    if (!(failure instanceof ExpressionError)) throw failure;
    throw new ApiError("MEMBER_INVALID", [path, failure.message], { cause: failure });
  }
}

function parseAggregation(
  value: unknown,
  path: string,
): Pick<Reference, "aggregation" | "fraction" | "second" | "per"> {
  if (value === undefined || value === null || isEmpty(value)) return { aggregation: undefined };
  const members: Members<(typeof aggregationMembers)[number]> =
    typeof value === "string" ? { type: value } : readMembers(value, path, aggregationMembers);
  const at = typeof value === "string" ? path : `${path}.type`;
  const aggregation = readAggregation(members.type, at);
  refuseUnnest(members, path);
  const { takes } = aggregationDefinitions[aggregation];
  const owned = membersOf(aggregation);
  for (const member of ["fraction", ...secondMembers] as const) {
    if (owned.includes(member) || isNeutral(members[member])) continue;
    const owners = aggregations.filter((name) => membersOf(name).includes(member));
    throw new ApiError("MEMBER_INVALID", [
      `${path}.${member}`,
      `only ${owners.join(" and ")} can have it, not ${aggregation}; leave it out`,
    ]);
  }
  const per = parsePer(members.per, `${path}.per`, aggregation);
  if (per) return { aggregation, per };
  switch (takes) {
    case "fraction":
      return { aggregation, fraction: readFraction(members.fraction, `${path}.fraction`) };
    case "weight":
    case "other":
      return { aggregation, second: parseSecond(members, path, aggregation) };
    case undefined:
      return { aggregation };
    default:
      throw new TypeError(`${takes satisfies never} must be read here`);
  }
}

/**
 * Parses the dimensions for each combination of whose values a cumulative sum starts again. An empty list and an absent
 * member mean that the sum runs through the whole answer.
 */
function parsePer(
  value: unknown,
  path: string,
  aggregation: Aggregation,
): readonly Reference[] | undefined {
  if (isNeutral(value)) return undefined;
  if (aggregation !== "cumulativesum")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `only cumulativesum can have it, not ${aggregation}; leave it out`,
    ]);
  const given = readList(value, path);
  if (given.length > mostPer)
    throw new ApiError("MEMBER_INVALID", [path, `it must list at most ${mostPer} dimensions`]);
  const references = given.map((entry, index) => parseReference(entry, `${path}[${index}]`));
  return references.length > 0 ? references : undefined;
}

function parseSecond(
  members: Members<"level" | "discretization">,
  path: string,
  aggregation: Aggregation,
): Reference {
  if (!isNeutral(members.level))
    throw new ApiError("MEMBER_INVALID", [
      `${path}.level`,
      `the second column of ${aggregation} must be numeric, and numbers have no level; leave it out`,
    ]);
  const bins = parseBins(members.discretization, `${path}.discretization`);
  const identity = parseIdentity(members, path);
  if (identity.columnId === "*")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.column_id`,
      `it must be a numeric column; "*" cannot be the second column of ${aggregation}`,
    ]);
  return { path, ...identity, level: undefined, aggregation: undefined, ...(bins && { bins }) };
}

function readFraction(value: unknown, path: string): number {
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [path, "a number from 0 to 1, such as 0.95"]);
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a number from 0 to 1, not ${typeof value === "number" ? value : kindOf(value)}`,
  ]);
}

function readAggregation(value: unknown, path: string): Aggregation {
  const name = readText(value, path);
  if (undefinedAggregations.has(name))
    throw new ApiError("QUERY_NOT_SERVED", [
      path,
      `${name}; the aggregations are: ${aggregations.join(", ")}`,
    ]);
  const aggregation = aggregations.find((known) => known === name);
  if (!aggregation)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be one of ${aggregations.join(", ")}, not ${quote(name)}`,
    ]);
  return aggregation;
}

/** Rejects `unnest`, because lists are stored as strings and cannot be expanded into rows. */
function refuseUnnest(members: Members<"unnest">, path: string): void {
  if (isNeutral(members.unnest)) return;
  throw new ApiError("QUERY_NOT_SERVED", [
    memberPath(path, "unnest"),
    "columns cannot contain lists: lists are stored as strings. Leave it out, or extract parts of the string with an expression such as split_part",
  ]);
}
