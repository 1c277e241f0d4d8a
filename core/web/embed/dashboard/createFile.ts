import { comparedItem, queryOf, readScreen } from "../../charts/index.ts";
import { HostError } from "../host/index.ts";
import { hostSorting } from "../view/index.ts";
import type { FilesOptions } from "./filesOptions.ts";

type Json = Readonly<Record<string, unknown>>;

/** Creates a file of an item; without an id, of the dashboard. Rejects with `HostError`. */
export async function createFile(
  type: string,
  itemId: string | undefined,
  options: FilesOptions,
): Promise<Blob> {
  return options.isStored ? draw(type, itemId, options) : exportRows(type, itemId ?? "", options);
}

function draw(type: string, itemId: string | undefined, options: FilesOptions): Promise<Blob> {
  const { callHost, signal, dashboardId, items, look } = options;
  const { theme } = look.given();
  const parameters = options.parameters();
  const { localeId, timezoneId } = options.readerRegion();
  const screenmode = readScreen(options.shown().view?.stored.screenModus);
  const properties = {
    type,
    securable_id: dashboardId,
    ...(itemId !== undefined && { item_id: itemId }),
    items: chosenIn(itemId === undefined ? items.keys() : [itemId], options),
    ...(parameters && { parameters }),
    ...(screenmode && { screenmode }),
    ...(theme && { theme }),
    timezone_id: timezoneId,
    locale_id: localeId,
    deliver: "file",
  };
  return callHost.file("export", { action: "create", properties }, { signal });
}

/** Returns what the reader chose in items, for the host, which knows the dashboard as stored. */
function chosenIn(ids: Iterable<string>, options: FilesOptions): Json {
  const { items, addedFilters, filtersFor, levelFor, picksFor, replaced } = options;
  const without = [...replaced()];
  const chosen = [...ids].flatMap((id): [string, Json][] => {
    const open = items.get(id);
    if (!open || open.control) return [];
    const where = addedFilters(open.item);
    const { compare = [] } = filtersFor(id);
    const level = levelFor(id);
    const picks = picksFor(id);
    const { sorting, hiddenSeries } = open.changes();
    const sort = sorting && { cell: sorting.cell, order: hostSorting(sorting).direction };
    const own = {
      ...(where.length > 0 && { where }),
      ...(compare.length > 0 && { compare }),
      ...(level !== undefined && { level }),
      ...(without.length > 0 && { without }),
      ...(sort && { sort }),
      ...(hiddenSeries.length > 0 && { hidden_series: hiddenSeries }),
      ...(Object.keys(picks).length > 0 && { picks }),
    };
    return Object.keys(own).length === 0 ? [] : [[id, own]];
  });
  return Object.fromEntries(chosen);
}

/** Creates a file of all rows of an item that the page defines. */
async function exportRows(type: string, id: string, options: FilesOptions): Promise<Blob> {
  const { callHost, signal, items, readerRegion, filtersFor } = options;
  const item = items.get(id)?.item;
  const { where, having, compare = [] } = filtersFor(id);
  const query =
    item &&
    queryOf(comparedItem(item, compare), { where, ...readerRegion(), isWhole: true })?.query;
  if (!query) throw new HostError(`item ${id} has no rows to export`, 0);
  const { sorting } = items.get(id)?.changes() ?? {};
  const reference =
    sorting && [...(query.dimensions ?? []), ...(query.measures ?? [])][sorting.cell];
  const asked = {
    ...query,
    ...(having.length > 0 && { having }),
    // With a limit, another order would select other rows.
    ...(sorting &&
      reference &&
      !query.limit && { order: [{ ...reference, order: hostSorting(sorting).direction }] }),
  };
  const properties = { type, query: asked, deliver: "file" };
  return callHost.file("dataexport", { action: "create", properties }, { signal });
}
