import { ApiError, isList, isObject, type Members } from "../../base/index.ts";
import type { AnswerCell } from "../../queries/index.ts";
import { numericIdsOf, openUrlOf } from "../answers/openUrl.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { type AssistantCaller, callAs } from "../callAs.ts";
import { describeDataset } from "../meaning/describeDataset.ts";
import { plainText } from "../meaning/words.ts";
import { localizedText } from "../../web/charts/index.ts";
import {
  idOf,
  oneQuery,
  querySchema as query,
  rowsOf,
  schema,
  uuid,
  wholeOf,
  type McpTool,
} from "./toolSchema.ts";

type AlertMember = "id" | "name" | "status" | "frequency" | "securable_id" | "evaluated_at";
/** The members of a slot's content, in both spellings that dashboards use. */
type ContentMember =
  | "label"
  | "datasetId"
  | "set"
  | "columnId"
  | "column"
  | "formulaId"
  | "formula"
  | "aggregationFunc";

const mostDatasets = 50;
const usualRows = 100;
const mostRows = 1_000;
/** Maximum number of characters in the rows of one answer. */
const rowsLength = 100_000;
const mostAlerts = 100;

/** The tools that only read, in the order in which a model typically needs them. */
export const readingTools: readonly McpTool[] = [
  {
    name: "search_datasets",
    description: "Finds datasets by words in their name or description; without words, lists them.",
    inputSchema: schema({
      words: { type: "string" },
      limit: { type: "integer", minimum: 1, maximum: mostDatasets },
    }),
    async run(given, caller, { readDatasets }) {
      const { words } = given;
      if (words !== undefined && typeof words !== "string")
        throw new ApiError("MEMBER_INVALID", ["words", "must be a string"]);
      const limit = wholeOf(given.limit, "limit", mostDatasets, 20);
      const wanted = { ...(words && { words }), limit: limit + 1 };
      const found = await readDatasets(wanted, caller);
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
    inputSchema: schema(
      { dataset_id: uuid("the id of the dataset"), language: { type: "string" } },
      ["dataset_id"],
    ),
    async run(given, caller, parts) {
      const { language } = given;
      const named = typeof language === "string" ? language : undefined;
      const id = idOf(given, "dataset_id");
      return {
        ...(await describeDataset(id, caller, parts, named)),
        ...(!caller.principal.restriction && { open_url: `${parts.publicUrl()}/explore/${id}` }),
      };
    },
  },
  {
    name: "query",
    description: `Answers a query with rows of cells: dimensions, then measures. Returns at most ${mostRows} rows;
is_cut says whether there are more.`,
    inputSchema: schema(
      { query, limit: { type: "integer", minimum: 1, maximum: mostRows, description: "rows" } },
      ["query"],
    ),
    async run(given, caller, parts) {
      const limit = wholeOf(given.limit, "limit", mostRows, usualRows);
      const find = queryOf(given.query, limit);
      const [answer] = [await parts.queries.answer(find, caller.principal, caller.signal)].flat();
      const url = await urlOf(oneQuery(given.query), caller, parts);
      return { ...bounded(answer?.data ?? [], limit), ...(url !== undefined && { open_url: url }) };
    },
  },
  {
    name: "explain",
    description:
      "Explains how a query is answered: which filters apply and where they come from, and what each source does.",
    inputSchema: schema({ query }, ["query"]),
    async run(given, caller, parts) {
      const find = queryOf(given.query, usualRows);
      const [explained] = [
        await parts.queries.explain(find, caller.principal, caller.signal),
      ].flat();
      return { ...explained };
    },
  },
  {
    name: "list_alerts",
    description: "Lists your alerts with their state.",
    inputSchema: schema({}),
    async run(_given, caller, { handlers, publicUrl }) {
      const find = { limit: mostAlerts + 1, order: [["created_at", "desc"]] };
      const rows = rowsOf<AlertMember>(await callAs(handlers, caller, "alert", "get", { find }));
      return {
        alerts: rows.slice(0, mostAlerts).map((row) => ({
          alert_id: row.id,
          name: plainText(localizedText(row.name, "en"), 200),
          status: row.status ?? null,
          frequency: row.frequency ?? null,
          securable_id: row.securable_id ?? null,
          evaluated_at: row.evaluated_at ?? null,
          ...(!caller.principal.restriction && {
            open_url: `${publicUrl()}/alerts/${String(row.id)}`,
          }),
        })),
        is_cut: rows.length > mostAlerts,
      };
    },
  },
  {
    name: "backtest_alert",
    description:
      "Says when an alert would have notified you in a past period. Without run, it returns only the cost of the backtest.",
    inputSchema: schema(
      {
        alert_id: uuid("the id of the alert"),
        from: { type: "string", format: "date-time" },
        to: { type: "string", format: "date-time" },
        run: { type: "boolean" },
      },
      ["alert_id", "from"],
    ),
    async run(given, caller, { handlers }) {
      const { from, to, run } = given;
      const options = { from, ...(to !== undefined && { to }), ...(run !== undefined && { run }) };
      const id = idOf(given, "alert_id");
      const found = await callAs(handlers, caller, "alert", "backtest", { id, options });
      const answer = isObject<"slots">(found) ? found : {};
      const slots = isList(answer.slots) ? answer.slots : [];
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
    inputSchema: schema({ dashboard_id: uuid("the id of the dashboard") }, ["dashboard_id"]),
    async run(given, caller, { handlers, publicUrl }) {
      const id = idOf(given, "dashboard_id");
      const attributes = ["id", "name", "description", "contents"];
      const find = { where: { id, type: "dashboard" }, attributes };
      const [row] = rowsOf<"name" | "description" | "contents">(
        await callAs(handlers, caller, "securable", "get", { find }),
      );
      if (!row) throw new ApiError("RECORD_NOT_FOUND", ["dashboard", id]);
      const contents = isObject<"views">(row.contents) ? row.contents : {};
      const views = isList(contents.views) ? contents.views.filter(isObject<"items">) : [];
      const [view] = views;
      const items = isList(view?.items) ? view.items.filter(isObject) : [];
      return {
        dashboard_id: id,
        name: plainText(localizedText(row.name, "en"), 200),
        description: plainText(localizedText(row.description, "en"), 1_000),
        items: items.slice(0, usualRows).map(shownItem),
        is_cut: items.length > usualRows,
        ...(!caller.principal.restriction && { open_url: `${publicUrl()}/dashboards/${id}` }),
      };
    },
  },
];

function shownItem(item: Members<"id" | "type">): object {
  const { options, slots } = item;
  const title = isObject<"title">(options) ? options.title : undefined;
  return {
    item_id: item.id,
    type: item.type,
    title: plainText(localizedText(title, "en"), 200),
    slots: (isList(slots) ? slots.filter(isObject) : []).map(({ name, content }) => ({
      name,
      content: (isList(content) ? content.filter(isObject<ContentMember>) : []).map((each) => ({
        label: plainText(localizedText(each.label, "en"), 100),
        dataset_id: each.set ?? each.datasetId ?? null,
        column_id: each.column ?? each.columnId ?? null,
        formula_id: each.formula ?? each.formulaId ?? null,
        aggregation: each.aggregationFunc ?? null,
      })),
    })),
  };
}

/** Returns a query that requests plain cells, and one row more than the answer shows. */
function queryOf(given: unknown, limit: number): Members {
  const requested = oneQuery(given);
  const { limit: page, options } = requested;
  const by = isObject<"by">(page) && typeof page.by === "number" ? page.by : limit + 1;
  const read = isObject<"paging">(options) ? options : {};
  // With `per`, the limit applies to each group, and the page to the whole answer.
  const isPerGroup = isObject<"per">(page) && (page.per ?? undefined) !== undefined;
  const paging = isPerGroup ? (read.paging ?? { by: limit + 1 }) : read.paging;
  return {
    ...requested,
    limit: { ...(isObject<"by">(page) ? page : {}), by: Math.min(by, limit + 1) },
    options: { ...read, ...(paging !== undefined && { paging }), cells: "plain" },
  };
}

/**
 * Returns the address at which the console runs a query again. Undefined for embed tokens, which cannot sign in there.
 */
async function urlOf(
  requested: Members<"dimensions">,
  caller: AssistantCaller,
  { readDatasets, publicUrl }: AssistantParts,
): Promise<string | undefined> {
  if (caller.principal.restriction) return undefined;
  const dimensions = isList(requested.dimensions)
    ? requested.dimensions.filter(isObject<"dataset_id">)
    : [];
  const ids = [...new Set(dimensions.map((each) => String(each.dataset_id)))];
  const datasets = ids.length === 1 ? await readDatasets({ ids, limit: 1 }, caller) : [];
  const shown = { publicUrl: publicUrl(), numericIds: numericIdsOf(datasets) };
  return openUrlOf({ query: requested }, shown);
}

/** Limits the number of rows of an answer, and the length of these rows as JSON. */
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
