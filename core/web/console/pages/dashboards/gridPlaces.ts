import { isItemType, itemTypes, type ItemKind, type Screen } from "../../../charts/index.ts";
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

/** Height in rows of most controls. */
const barHeight = 6;

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

/** Returns the size of a new item, which depends on what it shows. On phones, items are as wide as the screen. */
export function sizeOf(type: string, screen: Screen): Size {
  const ofKind = (isItemType(type) ? sizes[itemTypes[type].kind] : undefined) ?? usual;
  // A slider also has two fields.
  const { sizeX, sizeY } = type === "slider-filter" ? { ...ofKind, sizeY: barHeight + 3 } : ofKind;
  return { sizeX: screen === "mobile" ? columnCount : sizeX, sizeY };
}

/**
 * Returns the place of a new item: next to the last items if they are as high and there is room, so that items of one
 * height form a line. Otherwise below all items.
 */
export function freePlace(items: readonly BoardItem[], size: Size): Position {
  const taken = items.map(positionOf);
  const sizeX = Math.min(columnCount, size.sizeX);
  const { sizeY } = size;
  const row = Math.max(0, ...taken.map((each) => each.row));
  const line = taken.filter((each) => each.row === row);
  const place = {
    col: Math.max(0, ...line.map((each) => each.col + each.sizeX)),
    row,
    sizeX,
    sizeY,
  };
  const fits =
    place.col + sizeX <= columnCount &&
    line.every((each) => each.sizeY === sizeY) &&
    !taken.some((each) => overlaps(each, place));
  const bottom = Math.max(0, ...taken.map((each) => each.row + each.sizeY));
  return fits ? place : { col: 0, row: bottom, sizeX, sizeY };
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
  const placed = { ...item, position: freePlace(items, sizeOf(item.type, view.screenModus)) };
  return withView(contents, { ...view, items: [...items, placed] });
}
