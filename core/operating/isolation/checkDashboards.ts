import type { Cell } from "../../../plugins/protocol/index.ts";
import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  filtersOf,
  queryOf,
  readView,
  totalsOf,
  type PlacedItem,
} from "../../web/charts/index.ts";
import { isObject, type Members } from "../../base/index.ts";
import type { Allowance } from "./allowance.ts";
import { type Call, listAll } from "./createCall.ts";
import { rowsBeyond } from "./compareRows.ts";
import { findOf, rowsOf } from "./testQuery.ts";
import type { Gap, KnownRecord, Leak } from "./isolationReport.ts";

interface DashboardsChecked {
  readonly key: string;
  readonly call: Call;
  /** Sends calls as the issuer of the token. */
  readonly admin: Call;
  readonly allowance: Allowance;
  readonly known: readonly KnownRecord[];
}

/** The query of a dashboard item as a page sends it, and the same query over all rows. */
interface ItemQuery {
  readonly dashboardId: string;
  readonly itemId: string;
  readonly datasetIds: readonly string[];
  readonly find: Members;
  readonly wholeFind: Members<"where">;
}

const shownCount = 3;

/**
 * Queries each item of each dashboard that a token sees, both as a page does and as a file. Compares the rows with
 * those that the issuer gets with the filters of the item and of the token. A row that only the token gets is a leak.
 */
export async function checkDashboards(
  checked: DashboardsChecked,
): Promise<{ leaks: Leak[]; gaps: Gap[] }> {
  const { key, call, known } = checked;
  const leaks: Leak[] = [];
  const gaps: Gap[] = [];
  for (const { id, type, resource, seenBy } of known) {
    if (resource !== "securable" || type !== "dashboard" || !seenBy.has(key)) continue;
    for (const query of await queriesOf(id, call)) {
      const allowed = await allowedRows(query, checked);
      if (typeof allowed === "string") {
        gaps.push({ key, datasetId: `${id}, item ${query.itemId}`, reason: allowed });
        continue;
      }
      const leak = await leakOf(query, allowed, checked);
      if (leak) leaks.push(leak);
    }
  }
  return { leaks, gaps };
}

/** Lists the queries of a dashboard's items, as the token reads the dashboard. */
async function queriesOf(dashboardId: string, call: Call): Promise<readonly ItemQuery[]> {
  const [record] = await listAll<"contents">(call, "securable", { where: { id: dashboardId } });
  const contents = record?.contents;
  if (!isObject(contents)) return [];
  const { stored, items } = readView(contents, "desktop");
  const ids = columnIdsOf(items);
  const columns =
    ids.length === 0
      ? []
      : await listAll(call, "column", {
          where: { id: { in: ids } },
          attributes: ["id", ...columnAttributes],
          order: [["id", "asc"]],
        });
  return completeItems(items, columns).flatMap((placed) =>
    queryOfItem(dashboardId, { contents, view: stored }, placed),
  );
}

function queryOfItem(
  dashboardId: string,
  dashboard: Parameters<typeof filtersOf>[0],
  { item }: PlacedItem,
): ItemQuery[] {
  const { where, having } = filtersOf(dashboard, item);
  const findWith = (isWhole: boolean): Members | undefined => {
    const query = queryOf(item, { where, isWhole })?.query;
    if (!query) return undefined;
    const options = query.options;
    const { limit, ...rest } = query;
    return {
      ...rest,
      ...(having.length > 0 && { having }),
      ...(!isWhole && limit !== undefined && { limit }),
      options: { ...options, cells: "plain" },
    };
  };
  const [find, wholeFind] = [findWith(false), findWith(true)];
  if (!find || !wholeFind) return [];
  const datasetIds = [...new Set(item.fields.flatMap(({ datasetId }) => datasetId ?? []))];
  const common = { dashboardId, itemId: item.id, datasetIds };
  const totals = totalsOf(item, { where, having })?.query;
  const findTotals = totals && { ...totals, options: { cells: "plain" } };
  return [
    { ...common, find, wholeFind },
    ...(findTotals ? [{ ...common, find: findTotals, wholeFind: findTotals }] : []),
  ];
}

/** Returns the rows of an item that the token may see, or the reason why they cannot be determined. */
async function allowedRows(
  { datasetIds, wholeFind }: ItemQuery,
  { admin, allowance, known }: DashboardsChecked,
): Promise<readonly Cell[][] | string> {
  const text = JSON.stringify(wholeFind).toLowerCase();
  if ([...allowance.hiddenColumns].some((id) => text.includes(id))) return [];
  if (datasetIds.some((id) => allowance.securables?.has(id) === false)) return [];
  const tests: unknown[] = [];
  for (const datasetId of datasetIds) {
    const columns = known.filter(
      (each) => each.resource === "column" && each.datasetId === datasetId,
    );
    const types = new Map(columns.map(({ id, type }) => [id, type]));
    const allowed = allowance.rowsOf(datasetId, types);
    if (allowed.kind === "closed") return [];
    if (allowed.kind === "unknown") return allowed.reason;
    if (allowed.tests.some(({ value }) => value?.length === 0)) return [];
    const { where } = findOf({ datasetId, columns: [], tests: allowed.tests, isRaw: false });
    if (Array.isArray(where)) tests.push(...where);
  }
  if (datasetIds.length > 1 && tests.length > 0)
    return "it joins datasets, and the token has filters on one of them";
  const given = Array.isArray(wholeFind.where) ? wholeFind.where : [];
  const find = { ...wholeFind, where: [...given, ...tests] };
  return (
    rowsOf(await admin("data", { action: "get", find })) ??
    "the issuer of the token cannot run the query of this item"
  );
}

async function leakOf(
  { dashboardId, itemId, find }: ItemQuery,
  allowed: readonly Cell[][],
  { key, call }: DashboardsChecked,
): Promise<Leak | undefined> {
  const file = { type: "json", deliver: "file", securable_id: dashboardId, item_id: itemId };
  const requests = [
    { resource: "data", body: { action: "get", find }, word: "shows" },
    { resource: "export", body: { action: "create", properties: file }, word: "exports" },
  ];
  for (const { resource, body, word } of requests) {
    const rows = rowsOf(await call(resource, body));
    const seen = rows ? rowsBeyond(rows, allowed) : [];
    if (seen.length === 0) continue;
    const what = `the item ${itemId} of the dashboard ${dashboardId} ${word} rows that its filters do not allow`;
    return { key, what, question: { resource, body }, seen: seen.slice(0, shownCount) };
  }
  return undefined;
}
