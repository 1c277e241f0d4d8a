import { fieldTypes, type ChartItem, type SlotField } from "../item/item.ts";
import { listOf, objectOf, readItem } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** The grid of stored dashboards: 48 columns, and 2,000 rows of 16 pixels. */
export const gridColumns = 48;
export const gridRows = 2_000;
/** Maximum rows of an item. */
export const gridItemRows = 400;
export const gridRowHeight = 16;

/** A place in columns and rows of the grid. */
export interface GridPosition {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

export interface PlacedItem {
  readonly item: ChartItem;
  readonly position: GridPosition;
}

/** One screen size of a dashboard. */
export interface DashboardView {
  readonly stored: Stored<"screenModus" | "items" | "filterGroups" | "options">;
  readonly items: readonly PlacedItem[];
}

export const screens = ["mobile", "tablet", "desktop", "largeScreen", "fixed"] as const;
export type Screen = (typeof screens)[number];

/** Widths from which a screen is used, in pixels. */
const widths: readonly (readonly [Screen, number])[] = [
  ["largeScreen", 1_680],
  ["desktop", 1_024],
  ["tablet", 600],
  ["mobile", 0],
];

/** Returns the screen that a width belongs to. */
export function screenOfWidth(widthPx: number): Screen {
  return widths.find(([, least]) => widthPx >= least)?.[0] ?? "mobile";
}

/** Which views replace a screen that a dashboard does not have, the best first. */
const replacements: Readonly<Record<Screen, readonly Screen[]>> = {
  mobile: ["mobile", "tablet", "desktop", "fixed", "largeScreen"],
  tablet: ["tablet", "desktop", "fixed", "largeScreen", "mobile"],
  desktop: ["desktop", "fixed", "largeScreen", "tablet", "mobile"],
  largeScreen: ["largeScreen", "desktop", "fixed", "tablet", "mobile"],
  fixed: ["fixed", "desktop", "largeScreen", "tablet", "mobile"],
};

/**
 * Reads the view of contents for a screen, or, when it has no items, the one that comes nearest. Contents are stored as
 * they come: unknown members are ignored, and contents without views have no items.
 */
export function readView(contents: Stored<"views">, screen: Screen): DashboardView {
  const views = listOf(contents.views).map((each) => objectOf<"screenModus" | "items">(each));
  const ofScreens = replacements[screen].flatMap((wanted) =>
    views.filter(({ screenModus }) => screenModus === wanted).slice(0, 1),
  );
  // New dashboards have empty views for screens that nobody laid out.
  const found = ofScreens.find(({ items }) => listOf(items).length > 0) ?? ofScreens[0];
  const stored: DashboardView["stored"] = found ?? views[0] ?? {};
  const items = listOf(stored.items)
    .filter((each) => typeof each === "object" && each !== null)
    .map((each) => ({
      item: readItem(each),
      position: readPosition(objectOf<"position">(each).position),
    }));
  return { stored, items };
}

/** Returns the ids of the columns that items name, each once. */
export function columnIdsOf(items: readonly PlacedItem[]): string[] {
  const ids = items.flatMap(({ item }) => item.fields.flatMap(({ columnId }) => columnId ?? []));
  return [...new Set(ids)];
}

/** The attributes of columns that items are completed with. */
export const columnAttributes = ["name", "type", "subtype", "format", "currency_id"];

/** Fills in members that items leave to their columns; the type of a column goes before the stored one. */
export function completeItems(
  items: readonly PlacedItem[],
  columns: readonly Stored<"id">[],
): PlacedItem[] {
  const byId = new Map(columns.map((column) => [String(column.id), column]));
  return items.map(({ item, position }) => ({
    position,
    item: {
      ...item,
      fields: item.fields.map((field) => completeField(field, byId.get(field.columnId ?? ""))),
    },
  }));
}

function completeField(field: SlotField, column: Stored | undefined): SlotField {
  if (!column) return field;
  const { name, format, currency_id: currency, subtype, type } = column;
  return {
    ...(typeof name === "object" && name !== null && { label: objectOf(name) }),
    ...(typeof format === "string" && format !== "" && { format }),
    ...(typeof currency === "string" && { currency }),
    ...(typeof subtype === "string" && { subtype }),
    ...field,
    type: fieldTypes.find((each) => each === type) ?? field.type,
  };
}

/** Returns the zone that contents fix for all readers, as it is stored; it may not exist. */
export function fixedZoneOf(contents: Stored<"timezone">): string | undefined {
  const { type, id } = objectOf(contents.timezone);
  return type === "fixed" && typeof id === "string" ? id : undefined;
}

function readPosition(stored: unknown): GridPosition {
  const given = objectOf(stored);
  const number = (member: string, otherwise: number, most: number) => {
    const { [member]: value } = given;
    return typeof value === "number" && value >= 0 ? Math.min(value, most) : otherwise;
  };
  return {
    col: number("col", 0, gridColumns),
    row: number("row", 0, gridRows),
    sizeX: number("sizeX", gridColumns / 2, gridColumns),
    sizeY: number("sizeY", 16, gridItemRows),
  };
}
