import { keepQuery, offeredTypes, placeItem } from "../../web/charts/index.ts";
import { ApiError, isList, isObject, kindOf, listOf, type Members } from "../../base/index.ts";
import { checkQuery } from "../answers/checkQuery.ts";
import { makeItem } from "../answers/makeItem.ts";
import { callAs } from "../callAs.ts";
import { readDatasets } from "../meaning/readDatasets.ts";
import { plainText } from "../meaning/words.ts";
import { idOf, oneQuery, querySchema, rowsOf, schema, uuid, type McpTool } from "./toolSchema.ts";

const titleLength = 120;
const mostDatasets = 20;

/**
 * The tools that change something. Each tool runs an action of the API with the rights of the key. None of them deletes
 * anything.
 */
export const writingTools: readonly McpTool[] = [
  {
    name: "create_alert",
    description: `Creates an alert for you: the query runs on a schedule, and you are notified when it returns rows. Put the
condition into where or having. The alert notifies nobody else until channels are added in the console.`,
    isWriting: true,
    inputSchema: schema(
      {
        name: { type: "string" },
        query: querySchema,
        frequency: {
          type: "object",
          description: 'such as {unit: "day", quantity: 1}',
          properties: {
            unit: { type: "string", enum: ["minute", "hour", "day", "week", "month", "year"] },
            quantity: { type: "integer", minimum: 1 },
          },
          required: ["unit", "quantity"],
        },
        timezone_id: { type: "string" },
      },
      ["name", "query", "frequency"],
    ),
    async run(given, caller, { handlers, publicUrl }) {
      const { frequency, timezone_id: zone } = given;
      const properties = {
        name: titleOf(given.name, "name"),
        query: oneQuery(given.query),
        frequency,
        ...(zone !== undefined && { timezone_id: zone }),
      };
      const made = await callAs(handlers, caller, "alert", "create", { properties });
      const id = isObject<"id">(made) ? made.id : undefined;
      return {
        alert_id: id,
        ...(!caller.principal.restriction && { open_url: `${publicUrl()}/alerts/${String(id)}` }),
      };
    },
  },
  {
    name: "save_to_dashboard",
    description: `Adds a query as a chart below the items of a dashboard that you may change. Nothing else of the
dashboard changes, and its earlier versions are kept.`,
    isWriting: true,
    inputSchema: schema(
      {
        dashboard_id: uuid("the id of the dashboard"),
        title: { type: "string" },
        chart: { type: "string", enum: offeredTypes("assistant") },
        query: querySchema,
      },
      ["dashboard_id", "title", "chart", "query"],
    ),
    async run(given, caller, { handlers, publicUrl, queries }) {
      const id = idOf(given, "dashboard_id");
      const charts = offeredTypes("assistant");
      const chart = charts.find((each) => each === given.chart);
      if (!chart)
        throw new ApiError("MEMBER_INVALID", ["chart", `must be one of ${charts.join(", ")}`]);
      const title = titleOf(given.title, "title");
      if ((caller.principal.restriction?.environment ?? null) !== null)
        throw new ApiError("FORBIDDEN", [
          "save to dashboards; tokens for published versions do not have this right",
        ]);
      const requested = oneQuery(given.query);
      const datasets = await readDatasets(
        { ids: datasetIdsOf(requested), limit: mostDatasets },
        caller,
        handlers,
      );
      const { options: _, ...clauses } = requested;
      const { limit: __, ...checked } = checkQuery(clauses, datasets);
      // A caller who may not run the query may not save it either.
      await queries.explain(requested, caller.principal, caller.signal);
      const { query: ___, ...made } = makeItem(checked, chart, title, "en", datasets);
      const kept = keepQuery(made, requested);
      if ("problem" in kept)
        throw new ApiError("MEMBER_INVALID", [`query.${kept.member}`, kept.problem]);
      const { item } = kept;
      const find = { where: { id, type: "dashboard" }, attributes: ["id", "contents"] };
      const [row] = rowsOf<"contents">(
        await callAs(handlers, caller, "securable", "get", { find }),
      );
      if (!row) throw new ApiError("RECORD_NOT_FOUND", ["dashboard", id]);
      const contents = placeItem(isObject(row.contents) ? row.contents : {}, {
        item,
        where: listOf(requested.where),
        having: listOf(requested.having),
      });
      await callAs(handlers, caller, "securable", "update", { id, properties: { contents } });
      return {
        dashboard_id: id,
        item_id: item.id,
        ...(!caller.principal.restriction && { open_url: `${publicUrl()}/dashboards/${id}` }),
      };
    },
  },
];

function titleOf(value: unknown, member: string): string {
  const title = plainText(value, titleLength);
  if (title !== "") return title;
  throw new ApiError("MEMBER_INVALID", [member, `must be a string, not ${kindOf(value)}`]);
}

/** Lists the ids of the datasets in a query, without duplicates. */
function datasetIdsOf(query: Members): readonly string[] {
  const ids = new Set<string>();
  const collect = (value: unknown): void => {
    if (isList(value)) for (const each of value) collect(each);
    if (!isObject(value)) return;
    const { dataset_id: id } = value;
    if (typeof id === "string") ids.add(id);
    for (const each of Object.values(value)) collect(each);
  };
  collect(query);
  if (ids.size > mostDatasets)
    throw new ApiError("MEMBER_INVALID", ["query", `must use at most ${mostDatasets} datasets`]);
  return [...ids];
}
