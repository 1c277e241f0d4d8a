import {
  aggregationDefinitions,
  type AggregationArgument,
  aggregations,
} from "../../../plugins/protocol/index.ts";
import { ApiError, isList, isObject, isUuid, kindOf, type Members } from "../../base/index.ts";
import { relativeWords } from "../../queries/index.ts";
import type { AssistantParts } from "../assistantParts.ts";
import type { AssistantCaller } from "../callAs.ts";

/** The arguments of all tools of the MCP server. */
export type ToolArguments = Members<
  | "alert_id"
  | "chart"
  | "dashboard_id"
  | "dataset_id"
  | "frequency"
  | "from"
  | "language"
  | "limit"
  | "name"
  | "query"
  | "run"
  | "timezone_id"
  | "title"
  | "to"
  | "words"
>;

/** One tool of the MCP server. `run` returns the result as an object, which is sent as JSON. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Members & { readonly type: "object" };
  /** Whether the tool changes something. The server offers it only to keys that may write over MCP. */
  readonly isWriting?: true;
  run(given: ToolArguments, caller: AssistantCaller, parts: AssistantParts): Promise<object>;
}

/** Returns the JSON Schema of an id. */
export const uuid = (description: string): Members => ({
  type: "string",
  format: "uuid",
  description,
});

/** Returns the JSON Schema of a tool's arguments. Arguments that the schema does not list are not allowed. */
export const schema = (properties: Members, required: readonly string[] = []) => ({
  type: "object" as const,
  properties,
  required,
  additionalProperties: false,
});

/** The member with which a query passes the argument of an aggregation, by the kind of argument. */
const argumentMembers: Readonly<Record<AggregationArgument, string>> = {
  fraction: "fraction: 0 to 1",
  weight: "dataset_id, column_id of the weights",
  other: "dataset_id, column_id of the other column",
};

function typesOf(argument: AggregationArgument | undefined): string {
  const names = aggregations.filter((name) => aggregationDefinitions[name].takes === argument);
  return `type: ${names.map((name) => JSON.stringify(name)).join(" | ")}`;
}

/** How each aggregation is written in a query: its type, with its argument if it takes one. */
const aggregationForms: readonly string[] = [
  typesOf(undefined),
  ...(["fraction", "weight", "other"] as const).map(
    (argument) => `${typesOf(argument)}, ${argumentMembers[argument]}`,
  ),
];

/** The JSON Schema of a query, with an explanation for the model. */
export const querySchema: Members = {
  type: "object",
  description: `A query of Manifold: {dimensions: [{dataset_id, column_id, level?}], measures: [{dataset_id,
column_id, aggregation: {${aggregationForms.join("} | {")}}} or
{dataset_id, formula_id}], where: [{expression: "? = ?", parameters: [{dataset_id, column_id}, value]}], having: as
where, order: [{...a measure or dimension, order: "asc" | "desc"}], limit: {by, offset, per?: [dimensions, to limit
the rows of each of their groups]}, options: {timezone_id, rollup_data: false for rows}, from?: {query: an inner
query, columns: [a name for each of its dimensions, then measures]}, whose answer the query reads instead of
datasets, with columns named {dataset_id: "from", column_id: name}}.
Expressions: "? = ?", "? != ?", "? < ?", "? <= ?", "? > ?", "? >= ?", "? in ?",
"? not in ?", "? like ?", "? is null", "? is not null", or of a datetime ${relativeWords.join(", ")} with
{unit: level, quantity}, such as last_completed {unit: 3, quantity: 1} for the month before the current one.
A column of a linked dataset to which several columns lead also names the linked column that is meant: via: column_id.
Levels of datetimes: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour. column_id "*" with count counts rows.`,
};

type QueryMember = "dimensions" | "having" | "limit" | "options" | "where";
export type McpQuery = Members<QueryMember>;

/**
 * Returns the only query in the arguments of a tool.
 * @throws {ApiError} MEMBER_INVALID if the query is missing, or if there are several
 */
export function oneQuery(given: unknown): McpQuery {
  if (!isObject<QueryMember>(given))
    throw new ApiError("MEMBER_INVALID", ["query", `must be an object, not ${kindOf(given)}`]);
  if (Object.hasOwn(given, "queries"))
    throw new ApiError("MEMBER_INVALID", [
      "query.queries",
      "must be a single query; send several calls",
    ]);
  return given;
}

/**
 * Returns the id in a member, converted to lower case.
 * @throws {ApiError} MEMBER_INVALID
 */
export function idOf(
  given: ToolArguments,
  member: "alert_id" | "dashboard_id" | "dataset_id",
): string {
  const id = given[member];
  if (isUuid(id)) return id.toLowerCase();
  throw new ApiError("MEMBER_INVALID", [member, `must be a UUID, not ${kindOf(id)}`]);
}

/**
 * Returns the value of a member that must be an integer from 1 to `most`. Returns `usual` if the member is absent.
 * @throws {ApiError} MEMBER_INVALID
 */
export function wholeOf(value: unknown, member: string, most: number, usual: number): number {
  if (value === undefined || value === null) return usual;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most)
    return value;
  throw new ApiError("MEMBER_INVALID", [member, `must be a whole number from 1 to ${most}`]);
}

/** Returns the rows of a `get` answer as objects. */
export function rowsOf<Name extends string = never>(answer: unknown): readonly Members<Name>[] {
  const rows = isObject<"rows">(answer) ? answer.rows : undefined;
  return isList(rows) ? rows.filter(isObject<Name>) : [];
}
