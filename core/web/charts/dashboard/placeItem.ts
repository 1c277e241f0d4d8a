import { isObject, listOf, objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** A stored item with its own filters, in the format of the data service. */
export interface NewItem {
  readonly item: Stored<"id">;
  readonly where?: readonly unknown[];
  readonly having?: readonly unknown[];
}

type ViewMember = "screenModus" | "items" | "filterGroups";

/** Size of a new item in columns and rows. The grid has 48 columns. */
const itemSize = { sizeX: 24, sizeY: 20 };

/**
 * Adds an item to a dashboard's desktop view, next to the last item or below all others, and adds its filters in their
 * own groups. Leaves the rest of the contents unchanged.
 */
export function placeItem(
  contents: Stored<"views">,
  { item, where = [], having = [] }: NewItem,
): Stored {
  const known = listOf(contents.views).filter(isObject<ViewMember>);
  const views: readonly Stored<ViewMember>[] =
    known.length > 0 ? known : [{ screenModus: "desktop" }];
  const target = views.find(({ screenModus }) => screenModus === "desktop") ?? views[0];
  const items = listOf(target?.items);
  const placed = { ...item, position: freePlace(items) };
  const groups = [...groupsOf(where, "where"), ...groupsOf(having, "having")].map((group) => ({
    id: crypto.randomUUID(),
    origin: "itemFilter",
    itemId: item.id,
    ...group,
  }));
  return {
    version: "0.1.99",
    parameters: [],
    ...contents,
    views: views.map((view) =>
      view === target
        ? {
            options: { columns: 48, rowHeight: 16 },
            ...view,
            items: [...items, placed],
            filterGroups: [...listOf(view.filterGroups), ...groups],
          }
        : view,
    ),
  };
}

/**
 * Returns the position of a new item: the right half next to the last item if it is free, otherwise a new row below all
 * items.
 */
function freePlace(items: readonly unknown[]): Stored {
  const places = items.map((each) => {
    const position = objectOf(objectOf<"position">(each).position);
    const numberIn = (member: string) => {
      const value = position[member];
      return typeof value === "number" ? value : 0;
    };
    const [row, col] = [numberIn("row"), numberIn("col")];
    return { bottom: row + numberIn("sizeY"), right: col + numberIn("sizeX") };
  });
  const bottom = Math.max(0, ...places.map((place) => place.bottom));
  const row = bottom - itemSize.sizeY;
  const isRightFree = places.every((each) => each.bottom <= row || each.right <= itemSize.sizeX);
  return places.length > 0 && row >= 0 && isRightFree
    ? { row, col: itemSize.sizeX, ...itemSize }
    : { row: bottom, col: 0, ...itemSize };
}

/** Converts a clause to filter groups of a dashboard: a list with one group, or an empty list for an empty clause. */
function groupsOf(clause: readonly unknown[], type: "where" | "having"): readonly Stored[] {
  return clause.length === 0 ? [] : [groupOf("and", clause, type)];
}

function groupOf(condition: "and" | "or", tests: readonly unknown[], type: string): Stored {
  const filters: Stored[] = [];
  const subGroups: Stored[] = [];
  for (const test of tests.filter(isObject<"expression">)) {
    const { and, or, ...rest } = test;
    if (Array.isArray(and)) subGroups.push(groupOf("and", and, type));
    if (Array.isArray(or)) subGroups.push(groupOf("or", or, type));
    // Malformed filters are kept, so that the query rejects them. Dropping a filter would show more rows.
    if (rest.expression !== undefined || !(Array.isArray(and) || Array.isArray(or)))
      filters.push({ ...rest, properties: { type } });
  }
  return { condition, filters, ...(subGroups.length > 0 && { subGroups }) };
}
