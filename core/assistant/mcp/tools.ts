import { isUuid } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import { isList, isObject, kindOf } from "../../json/index.ts";
import { relativeWords, type AnswerCell } from "../../queries/index.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { type Asker, callAs } from "../callAs.ts";
import { describeDataset } from "../meaning/describeDataset.ts";
import { readDatasets } from "../meaning/readDatasets.ts";
import { plainText, textIn } from "../meaning/words.ts";

type Json = Readonly<Record<string, unknown>>;

/** One tool of the server; it reads and changes nothing. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json & { readonly type: "object" };
  run(given: Json, asker: Asker, parts: AssistantParts): Promise<object>;
}

const mostDatasets = 50;
const usualRows = 100;
const mostRows = 1_000;
/** Characters of the rows of one answer. */
const rowsLength = 100_000;
const mostAlerts = 100;

const uuid = (description: string) => ({ type: "string", format: "uuid", description });
const schema = (properties: Json, required: readonly string[] = []) => ({
  type: "object" as const,
  properties,
  required,
  additionalProperties: false,
});

const query = {
  type: "object",
  description: `A query of Manifold: {dimensions: [{dataset_id, column_id, level?}], measures: [{dataset_id,
column_id, aggregation: {type: "sum" | "average" | "count" | "distinctcount" | "min" | "max" | "median"}} or
{dataset_id, formula_id}], where: [{expression: "? = ?", parameters: [{dataset_id, column_id}, value]}], having: as
where, order: [{...a measure or dimension, order: "asc" | "desc"}], limit: {by, offset}, options: {timezone_id,
rollup_data: false for rows}}. Expressions: "? = ?", "? != ?", "? < ?", "? <= ?", "? > ?", "? >= ?", "? in ?",
"? not in ?", "? like ?", "? is null", "? is not null", or of a datetime ${relativeWords.join(", ")} with
{unit: level, quantity}, such as last_completed {unit: 3, quantity: 1} for the month before the current one.
Levels of datetimes: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour. column_id "*" with count counts rows.`,
};

/** The tools, in the order in which an assistant needs them. */
export const tools: readonly McpTool[] = [
  {
    name: "search_datasets",
    description: "Finds datasets by words in their name or description; without words, lists them.",
    inputSchema: schema({
      words: { type: "string" },
      limit: { type: "integer", minimum: 1, maximum: mostDatasets },
    }),
    async run(given, asker, { handlers }) {
      const { words } = given;
      if (words !== undefined && typeof words !== "string")
        throw new ApiError("MEMBER_INVALID", ["words", "must be a text"]);
      const limit = wholeOf(given["limit"], "limit", mostDatasets, 20);
      const ask = { ...(words && { words }), limit: limit + 1 };
      const found = await readDatasets(ask, asker, handlers);
      return {
        datasets: found.slice(0, limit).map(({ id, name, description, columns, formulas }) => ({
          dataset_id: id,
          name,
          description,
          column_count: columns.length,
          formula_count: formulas.length,
        })),
        is_cut: found.length > limit,
      };
    },
  },
  {
    name: "describe_dataset",
    description:
      "Describes a dataset before it is queried: columns with types, ranges and frequent values, formulas, links.",
    inputSchema: schema({ dataset_id: uuid("of the dataset"), language: { type: "string" } }, [
      "dataset_id",
    ]),
    run(given, asker, parts) {
      const { language } = given;
      const named = typeof language === "string" ? language : undefined;
      return describeDataset(idOf(given, "dataset_id"), asker, parts, named);
    },
  },
  {
    name: "query",
    description: `Answers a query with rows of cells: dimensions, then measures. At most ${mostRows} rows come back;
is_cut says that there are more.`,
    inputSchema: schema(
      { query, limit: { type: "integer", minimum: 1, maximum: mostRows, description: "rows" } },
      ["query"],
    ),
    async run(given, asker, parts) {
      const limit = wholeOf(given["limit"], "limit", mostRows, usualRows);
      const find = queryOf(given["query"], limit);
      const [answer] = [await parts.queries.answer(find, asker.principal, asker.signal)].flat();
      return bounded(answer?.data ?? [], limit);
    },
  },
  {
    name: "explain",
    description:
      "Explains how a query is answered: filters and where they come from, what each source does.",
    inputSchema: schema({ query }, ["query"]),
    async run(given, asker, parts) {
      const find = queryOf(given["query"], usualRows);
      const [explained] = [await parts.queries.explain(find, asker.principal, asker.signal)].flat();
      return { ...explained };
    },
  },
  {
    name: "list_alerts",
    description: "Lists your alerts with their state.",
    inputSchema: schema({}),
    async run(_given, asker, { handlers }) {
      const find = { limit: mostAlerts + 1, order: [["created_at", "desc"]] };
      const rows = rowsOf(await callAs(handlers, asker, "alert", "get", { find }));
      return {
        alerts: rows.slice(0, mostAlerts).map((row) => ({
          alert_id: row["id"],
          name: plainText(typeof row["name"] === "string" ? row["name"] : textIn(row["name"]), 200),
          status: row["status"] ?? null,
          frequency: row["frequency"] ?? null,
          securable_id: row["securable_id"] ?? null,
          evaluated_at: row["evaluated_at"] ?? null,
        })),
        is_cut: rows.length > mostAlerts,
      };
    },
  },
  {
    name: "backtest_alert",
    description:
      "Says when an alert would have notified in a window of the past. Without run it only says what that costs.",
    inputSchema: schema(
      {
        alert_id: uuid("of the alert"),
        from: { type: "string", format: "date-time" },
        to: { type: "string", format: "date-time" },
        run: { type: "boolean" },
      },
      ["alert_id", "from"],
    ),
    async run(given, asker, { handlers }) {
      const { from, to, run } = given;
      const options = { from, ...(to !== undefined && { to }), ...(run !== undefined && { run }) };
      const id = idOf(given, "alert_id");
      const found = await callAs(handlers, asker, "alert", "backtest", { id, options });
      const answer = isObject(found) ? found : {};
      const slots = isList(answer["slots"]) ? answer["slots"] : [];
      return {
        ...answer,
        ...(slots.length > 0 && { slots: slots.slice(0, usualRows) }),
        is_cut: slots.length > usualRows,
      };
    },
  },
  {
    name: "get_dashboard",
    description: "Lists the items of a dashboard with their charts and columns.",
    inputSchema: schema({ dashboard_id: uuid("of the dashboard") }, ["dashboard_id"]),
    async run(given, asker, { handlers }) {
      const id = idOf(given, "dashboard_id");
      const attributes = ["id", "name", "description", "contents"];
      const find = { where: { id, type: "dashboard" }, attributes };
      const [row] = rowsOf(await callAs(handlers, asker, "securable", "get", { find }));
      if (!row) throw new ApiError("RECORD_NOT_FOUND", ["dashboard", id]);
      const contents = isObject(row["contents"]) ? row["contents"] : {};
      const views = isList(contents["views"]) ? contents["views"].filter(isObject) : [];
      const [view] = views;
      const items = isList(view?.["items"]) ? view["items"].filter(isObject) : [];
      return {
        dashboard_id: id,
        name: plainText(textIn(row["name"]), 200),
        description: plainText(textIn(row["description"]), 1_000),
        items: items.slice(0, usualRows).map(shownItem),
        is_cut: items.length > usualRows,
      };
    },
  },
];

function shownItem(item: Json): object {
  const { options, slots } = item;
  const title = isObject(options) ? options["title"] : undefined;
  return {
    item_id: item["id"],
    type: item["type"],
    title: plainText(textIn(title), 200),
    slots: (isList(slots) ? slots.filter(isObject) : []).map(({ name, content }) => ({
      name,
      content: (isList(content) ? content.filter(isObject) : []).map((each) => ({
        label: plainText(textIn(each["label"]), 100),
        dataset_id: each["set"] ?? each["datasetId"] ?? null,
        column_id: each["column"] ?? each["columnId"] ?? null,
        formula_id: each["formula"] ?? each["formulaId"] ?? null,
        aggregation: each["aggregationFunc"] ?? null,
      })),
    })),
  };
}

/** Narrows a query to one, with plain cells and one row more than are shown. */
function queryOf(given: unknown, limit: number): Json {
  if (!isObject(given))
    throw new ApiError("MEMBER_INVALID", ["query", `must be an object, not ${kindOf(given)}`]);
  if (Object.hasOwn(given, "queries"))
    throw new ApiError("MEMBER_INVALID", ["query.queries", "ask one query at a time"]);
  const { limit: page, options } = given;
  const by = isObject(page) && typeof page["by"] === "number" ? page["by"] : limit + 1;
  const read = isObject(options) ? options : {};
  return {
    ...given,
    limit: { ...(isObject(page) ? page : {}), by: Math.min(by, limit + 1) },
    options: { ...read, cells: "plain" },
  };
}

/** Cuts rows to a number and to a length as JSON. */
function bounded(data: readonly (readonly AnswerCell[])[], limit: number): object {
  const rows: (readonly AnswerCell[])[] = [];
  let length = 0;
  for (const row of data.slice(0, limit)) {
    length += JSON.stringify(row).length + 1;
    if (length > rowsLength) break;
    rows.push(row);
  }
  const isCut = rows.length < data.length;
  const note = "There are more rows: filter, group, or set limit {by, offset}.";
  return { rows, row_count: rows.length, is_cut: isCut, ...(isCut && { note }) };
}

function rowsOf(answer: unknown): readonly Json[] {
  const rows = isObject(answer) ? answer["rows"] : undefined;
  return isList(rows) ? rows.filter(isObject) : [];
}

function idOf(given: Json, member: string): string {
  const id = given[member];
  if (isUuid(id)) return id.toLowerCase();
  throw new ApiError("MEMBER_INVALID", [member, `must be a UUID, not ${kindOf(id)}`]);
}

function wholeOf(value: unknown, member: string, most: number, usual: number): number {
  if (value === undefined || value === null) return usual;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most)
    return value;
  throw new ApiError("MEMBER_INVALID", [member, `must be a whole number from 1 to ${most}`]);
}
