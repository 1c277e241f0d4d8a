import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  fixedZoneOf,
  readScreen,
  readView,
  type ChartItem,
  type PlacedItem,
  type Stored,
} from "../web/charts/index.ts";
import {
  type ApiCall,
  ApiError,
  type Handler,
  isObject,
  type ResourceHandlers,
} from "../base/index.ts";
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
  readonly title: string;
  readonly contents: Stored;
  readonly css: unknown;
  /** The time zone that the dashboard sets for all viewers. */
  readonly timezoneId: string | undefined;
  readonly view: Stored;
  readonly items: readonly PlacedItem[];
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
): Promise<Dashboard> {
  const [record] = await find(readers.securable, call, "securable", { id: securableId }, [
    "type",
    "name",
    "contents",
    "css",
  ]);
  const contents = record?.contents;
  if (record?.type !== "dashboard" || !isObject(contents))
    throw new ApiError("RECORD_NOT_FOUND", ["dashboard", securableId]);
  const { screen, currencyId } = call.principal.restriction ?? {};
  const view = readView(contents, readScreen(screen) ?? "desktop");
  const ids = columnIdsOf(view.items);
  const columns =
    ids.length === 0
      ? []
      : await find(readers.column, call, "column", { id: { in: ids } }, columnAttributes);
  return {
    title: nameOf(record.name),
    contents,
    css: record.css,
    timezoneId: zoneOf(contents),
    view: view.stored,
    items: completeItems(view.items, columns, currencyId),
  };
}

/**
 * Finds an item of a dashboard.
 * @throws {ApiError} RECORD_NOT_FOUND
 */
export function itemOf({ items }: Dashboard, itemId: string): ChartItem {
  const found = items.find(({ item }) => item.id === itemId);
  if (!found)
    throw new ApiError("RECORD_NOT_FOUND", ["item", JSON.stringify(itemId.slice(0, 100))]);
  return found.item;
}

function nameOf(name: unknown): string {
  if (!isObject<"en">(name)) return "";
  const found = [name.en, ...Object.values(name)].find((each) => typeof each === "string");
  return typeof found === "string" ? found : "";
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
