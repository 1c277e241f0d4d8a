import { isObject, isSetBy } from "../../../charts/index.ts";
import {
  positionOf,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
  type FilterGroup,
} from "./contents.ts";
import { freePlace } from "./gridPlaces.ts";

/** An item with the filters that belong to it, as the reader copied it. */
export interface CopiedItem {
  readonly item: BoardItem;
  readonly filterGroups: readonly FilterGroup[];
}

/** Returns a copy of an item and of the filters that apply only to it or that it sets. */
export function copyOf(view: BoardView, id: string): CopiedItem | undefined {
  const item = view.items?.find((each) => each.id === id);
  if (!item) return undefined;
  const filterGroups = (view.filterGroups ?? []).filter(
    (group) => (group.origin === "itemFilter" && group.itemId === id) || isSetBy(group, id),
  );
  return { item, filterGroups };
}

/** Returns contents with a copy of an item at a free place, under a new id. */
export function withCopy(
  contents: Contents,
  view: BoardView,
  { item, filterGroups }: CopiedItem,
  id: string,
): Contents {
  const items = view.items ?? [];
  const position = { ...item.position, ...freePlace(items, positionOf(item)) };
  const groups = filterGroups.map((group) => renamed(group, item.id, id));
  return withView(contents, {
    ...view,
    items: [...items, { ...item, id, position }],
    ...(groups.length > 0 && { filterGroups: [...(view.filterGroups ?? []), ...groups] }),
  });
}

/** Returns a group of filters for another item, under a new id. */
function renamed(group: FilterGroup, before: string, itemId: string): FilterGroup {
  const { filters, subGroups } = group;
  return {
    ...group,
    ...(group.id !== undefined && { id: crypto.randomUUID() }),
    ...(group.itemId === before && { itemId }),
    ...(filters && {
      filters: filters.map((filter) => {
        const { properties } = filter;
        return isObject<"itemId">(properties) && properties.itemId === before
          ? { ...filter, properties: { ...properties, itemId } }
          : filter;
      }),
    }),
    ...(subGroups && { subGroups: subGroups.map((each) => renamed(each, before, itemId)) }),
  };
}

const keyOf = (userId: string): string => `copied item of ${userId}`;

/** Keeps a copied item for all tabs of the browser, until the reader copies another one. */
export function keepCopy(userId: string, copied: CopiedItem): void {
  localStorage.setItem(keyOf(userId), JSON.stringify(copied));
}

/** Returns the item that the reader copied last, in this tab or another one. */
export function keptCopy(userId: string): CopiedItem | undefined {
  const text = localStorage.getItem(keyOf(userId));
  if (text === null) return undefined;
  const kept: unknown = JSON.parse(text);
  return isCopy(kept) ? kept : undefined;
}

function isCopy(kept: unknown): kept is CopiedItem {
  return (
    isObject<"item" | "filterGroups">(kept) &&
    isObject<"id" | "type">(kept.item) &&
    typeof kept.item.id === "string" &&
    typeof kept.item.type === "string" &&
    Array.isArray(kept.filterGroups)
  );
}
