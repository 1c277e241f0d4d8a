import { isItemType, itemTypes, type ItemKind } from "../../../charts/index.ts";
import {
  columnCount,
  positionOf,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
  type Position,
} from "./contents.ts";

type Size = Pick<Position, "sizeX" | "sizeY">;

/** Height in rows of the controls in the bar of filters. */
export const barHeight = 6;

const usual: Size = { sizeX: 24, sizeY: 18 };

/** Sizes of new items by kind, in columns and rows; absent for kinds of the usual size. */
const sizes: Readonly<Partial<Record<ItemKind, Size>>> = {
  number: { sizeX: 12, sizeY: 8 },
  gauge: { sizeX: 12, sizeY: 12 },
  slices: { sizeX: 16, sizeY: 18 },
  table: { sizeX: 24, sizeY: 20 },
  pivot: { sizeX: 24, sizeY: 20 },
  text: { sizeX: columnCount, sizeY: 4 },
  filter: { sizeX: 12, sizeY: barHeight },
};

/** Returns the size of a new item, which depends on what it shows. */
export function sizeOf(type: string): Size {
  return (isItemType(type) ? sizes[itemTypes[type].kind] : undefined) ?? usual;
}

/**
 * Returns the place of a new item: the first free place in the rows from the top of the last item downwards, so that
 * items follow each other from left to right.
 */
export function freePlace(items: readonly BoardItem[], size: Size): Position {
  const taken = items.map(positionOf);
  const last = Math.max(0, ...taken.map(({ row }) => row));
  const bottom = Math.max(0, ...taken.map(({ row, sizeY }) => row + sizeY));
  const sizeX = Math.min(columnCount, size.sizeX);
  // Items that begin at the same row as a neighbour look like a line.
  const starts = [...new Set(taken.map(({ col, sizeX: width }) => col + width)), 0]
    .filter((col) => col + sizeX <= columnCount)
    .toSorted((one, other) => one - other);
  for (let row = last; row < bottom; row++)
    for (const col of starts) {
      const place = { col, row, sizeX, sizeY: size.sizeY };
      if (!taken.some((each) => overlaps(each, place))) return place;
    }
  return { col: 0, row: bottom, sizeX, sizeY: size.sizeY };
}

/** Returns whether two places have a cell in common. */
export function overlaps(one: Position, other: Position): boolean {
  return (
    one.col < other.col + other.sizeX &&
    other.col < one.col + one.sizeX &&
    one.row < other.row + other.sizeY &&
    other.row < one.row + one.sizeY
  );
}

/** Returns contents with a new item of its usual size at a free place of a view. */
export function withNewItem(
  contents: Contents,
  view: BoardView,
  item: Omit<BoardItem, "position">,
): Contents {
  const items = view.items ?? [];
  const placed = { ...item, position: freePlace(items, sizeOf(item.type)) };
  return withView(contents, { ...view, items: [...items, placed] });
}
