import {
  atLevel,
  columnAttributes,
  columnIdsOf,
  comparedItem,
  completeItems,
  filtersOf,
  fixedZoneOf,
  pickedItem,
  readScreen,
  readView,
  unknownPick,
  withParameters,
  type ChartItem,
  type ColumnAttribute,
  type ItemFilters,
  type PlacedItem,
  type Stored,
} from "../web/charts/index.ts";
import {
  type ApiCall,
  ApiError,
  type Handler,
  isObject,
  isUuid,
  type ResourceHandlers,
} from "../base/index.ts";
import { columnIdsIn } from "./columnIdsIn.ts";
import { noneChosen, type ChosenParts } from "./parseChosen.ts";
import { parseTimezone } from "../queries/index.ts";

/** The API handlers that read records with the caller's rights. */
export interface RecordReaders {
  readonly securable: Handler;
  readonly column: Handler;
  readonly theme: Handler;
}

/** Selects the handlers that exports need from those of the host. */
export function recordReaders(handlers: Readonly<Record<string, ResourceHandlers>>): RecordReaders {
  const readerOf = (resource: string) => {
    const { get } = handlers[resource] ?? {};
    if (!get) throw new TypeError(`the resource ${resource} cannot be read`);
    return get;
  };
  return { securable: readerOf("securable"), column: readerOf("column"), theme: readerOf("theme") };
}

/** The caller of an export: its principal, its address, and the request's id and signal. */
export type ExportCaller = Pick<ApiCall, "principal" | "requestId" | "address" | "signal">;

export interface Dashboard {
  /** The name of the dashboard by language. */
  readonly name: unknown;
  readonly contents: Stored;
  readonly css: unknown;
  /** The time zone that the dashboard sets for all viewers. */
  readonly timezoneId: string | undefined;
  readonly view: Stored;
  readonly items: readonly PlacedItem[];
  /** The columns of the items and of the reader's filters, as far as the caller may see them. */
  readonly columns: readonly Stored<"id" | ColumnAttribute>[];
  /** What a reader chose in the dashboard, in addition to its contents. */
  readonly chosen: ChosenParts;
}

export async function find<Name extends string = never>(
  handler: Handler,
  call: ExportCaller,
  resource: string,
  where: Stored,
  attributes: readonly Name[],
): Promise<readonly Stored<Name | "id">[]> {
  const found = await handler({
    ...call,
    resource,
    action: "get",
    body: { find: { where, attributes } },
  });
  const rows = isObject<"rows">(found) ? found.rows : undefined;
  return Array.isArray(rows) ? rows.filter(isObject<Name | "id">) : [];
}

/**
 * Reads a dashboard with the caller's rights. The caller gets the version that its token may see, with only the columns
 * that its user may see. A token may also set the screen and the currency of the reader.
 * @throws {ApiError} RECORD_NOT_FOUND for other people's dashboards, for datasets, and for unknown ids
 */
export async function readDashboard(
  securableId: string,
  call: ExportCaller,
  readers: RecordReaders,
  chosen: ChosenParts = noneChosen,
): Promise<Dashboard> {
  const [record] = await find(readers.securable, call, "securable", { id: securableId }, [
    "type",
    "name",
    "contents",
    "css",
  ]);
  const stored = record?.contents;
  if (record?.type !== "dashboard" || !isObject(stored))
    throw new ApiError("RECORD_NOT_FOUND", ["dashboard", securableId]);
  const contents = withParameters(stored, chosen.parameters);
  const { screen, currencyId } = call.principal.restriction ?? {};
  const view = readView(contents, chosen.screen ?? readScreen(screen) ?? "desktop");
  for (const id of chosen.items.keys()) itemOf(view, id);
  const chosenFilters = [...chosen.items.values()].map(({ where }) => where);
  const filtered = columnIdsIn(chosenFilters).filter(isUuid);
  const ids = [...new Set([...columnIdsOf(view.items), ...filtered])];
  const columns =
    ids.length === 0
      ? []
      : await find(readers.column, call, "column", { id: { in: ids } }, columnAttributes);
  return {
    name: record.name,
    contents,
    css: record.css,
    timezoneId: zoneOf(contents),
    view: view.stored,
    columns,
    items: completeItems(view.items, columns, currencyId).map(({ item, ...placed }) => {
      const { level, compare = [], picks = {} } = chosen.items.get(item.id) ?? {};
      const unknown = unknownPick(item, picks);
      if (unknown !== undefined)
        throw new ApiError("MEMBER_INVALID", [
          `properties.items.${item.id}.picks.${unknown.slice(0, 100)}`,
          "must be the key of a column or formula that the item offers for this slot",
        ]);
      return { ...placed, item: comparedItem(atLevel(pickedItem(item, picks), level), compare) };
    }),
    chosen,
  };
}

/** Returns the filters of an item: those of the dashboard, and those that a reader chose. */
export function filtersIn(dashboard: Dashboard, item: ChartItem): ItemFilters {
  const chosen = dashboard.chosen.items.get(item.id);
  const { where, having } = filtersOf(dashboard, item, chosen?.without);
  return { where: [...where, ...(chosen?.where ?? [])], having };
}

/**
 * Finds an item of a dashboard.
 * @throws {ApiError} RECORD_NOT_FOUND
 */
export function itemOf(dashboard: Pick<Dashboard, "items">, itemId: string): ChartItem {
  const found = dashboard.items.find(({ item }) => item.id === itemId);
  if (!found)
    throw new ApiError("RECORD_NOT_FOUND", ["item", JSON.stringify(itemId.slice(0, 100))]);
  return found.item;
}

function zoneOf(contents: Stored): string | undefined {
  const id = fixedZoneOf(contents);
  if (id === undefined) return undefined;
  try {
    return parseTimezone(id, "contents.timezone.id");
  } catch (failure) {
    // Dashboards are stored without validation, so an unknown time zone is ignored.
    if (failure instanceof ApiError) return undefined;
    throw failure;
  }
}
