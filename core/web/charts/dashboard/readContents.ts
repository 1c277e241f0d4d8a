import { fieldTypes, type ChartItem, type SlotField } from "../item/item.ts";
import { listOf, objectOf, readItem } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** Number of columns in the grid of a dashboard. */
export const gridColumns = 48;
/** Maximum number of rows in the grid of a dashboard. */
export const gridRows = 2_000;
/** Maximum height of an item, in grid rows. */
export const gridItemRows = 400;
/** Height of a grid row in pixels. */
export const gridRowHeight = 16;

/** A position and size, in columns and rows of the grid. `col` and `row` start at 0. */
export interface GridPosition {
  readonly col: number;
  readonly row: number;
  readonly sizeX: number;
  readonly sizeY: number;
}

/** An item with its position in the grid. */
export interface PlacedItem {
  readonly item: ChartItem;
  readonly position: GridPosition;
}

/** The layout of a dashboard for one screen size. */
export interface DashboardView {
  readonly stored: Stored<"screenModus" | "items" | "filterGroups" | "options">;
  readonly items: readonly PlacedItem[];
}

/** The screens for which a dashboard can have its own layout. */
export const screens = ["mobile", "tablet", "desktop", "largeScreen", "fixed"] as const;
/** A screen for which a dashboard can have its own layout. */
export type Screen = (typeof screens)[number];

/** Minimum width in pixels for each screen. */
const widths: readonly (readonly [Screen, number])[] = [
  ["largeScreen", 1_680],
  ["desktop", 1_024],
  ["tablet", 600],
  ["mobile", 0],
];

/** Returns the largest screen whose minimum width is at most `widthPx`; never `fixed`. */
export function screenOfWidth(widthPx: number): Screen {
  return widths.find(([, least]) => widthPx >= least)?.[0] ?? "mobile";
}

/** Returns a stored value if it names a screen. */
export function readScreen(stored: unknown): Screen | undefined {
  return screens.find((screen) => screen === stored);
}

/** For each screen, the views that replace a missing view, in order of preference. */
const replacements: Readonly<Record<Screen, readonly Screen[]>> = {
  mobile: ["mobile", "tablet", "desktop", "fixed", "largeScreen"],
  tablet: ["tablet", "desktop", "fixed", "largeScreen", "mobile"],
  desktop: ["desktop", "fixed", "largeScreen", "tablet", "mobile"],
  largeScreen: ["largeScreen", "desktop", "fixed", "tablet", "mobile"],
  fixed: ["fixed", "desktop", "largeScreen", "tablet", "mobile"],
};

/**
 * Reads the view of contents for a screen, or the closest view if the screen's own view has no items. Contents are
 * stored unchecked: unknown members are ignored, and contents without views have no items.
 */
export function readView(contents: Stored<"views">, screen: Screen): DashboardView {
  const views = listOf(contents.views).map((each) => objectOf<"screenModus" | "items">(each));
  const ofScreens = replacements[screen].flatMap((wanted) =>
    views.filter(({ screenModus }) => screenModus === wanted).slice(0, 1),
  );
  // New dashboards have empty views for screens without a layout.
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

/** Returns the ids of the columns used by items, without duplicates. */
export function columnIdsOf(items: readonly PlacedItem[]): string[] {
  const ids = items.flatMap(({ item: { fields, pickers = [] } }) =>
    [...fields, ...pickers.flatMap(({ choices }) => choices)].flatMap(
      ({ columnId }) => columnId ?? [],
    ),
  );
  return [...new Set(ids)];
}

/** Attributes of columns that `completeItems` needs. */
export const columnAttributes = ["name", "type", "subtype", "format", "currency_id"] as const;
/** The name of one of these attributes. */
export type ColumnAttribute = (typeof columnAttributes)[number];

/**
 * Completes stored items with attributes of their columns. The type of a column overrides the stored type. `currency`
 * is the currency of the reader. It applies to fields whose format contains `$` and which have no currency of their
 * own. Absent: such fields have none.
 */
export function completeItems(
  items: readonly PlacedItem[],
  columns: readonly Stored<"id">[],
  currency?: string,
): PlacedItem[] {
  const byId = new Map(columns.map((column) => [String(column.id), column]));
  const complete = (field: SlotField): SlotField => {
    const completed = completeField(field, byId.get(field.columnId ?? ""));
    return isAmount(completed) && currency ? { ...completed, currency } : completed;
  };
  return items.map(({ item, position }) => ({
    position,
    item: {
      ...item,
      fields: item.fields.map(complete),
      ...(item.pickers && {
        pickers: item.pickers.map(({ slot, choices }) => ({
          slot,
          choices: choices.map(complete),
        })),
      }),
    },
  }));
}

/** Returns whether a field contains amounts in the currency of the reader. */
const isAmount = ({ format, currency }: SlotField): boolean =>
  currency === undefined && format?.includes("$") === true;

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

/** Returns the time zone that the contents fix for all readers, as stored. The zone is not validated. */
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
