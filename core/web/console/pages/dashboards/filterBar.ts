import { kindOfItem } from "../../../charts/index.ts";
import {
  columnCount,
  positionOf,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { barHeight, overlaps, sizeOf } from "./gridPlaces.ts";

/** Returns whether an item is a control with which readers filter the other items. */
export const isFilter = ({ type }: Pick<BoardItem, "type">): boolean =>
  kindOfItem(type)?.kind === "filter";

/** Returns the filters above all other items of a view. They are the bar of filters, which has no stored form of its own. */
export function filtersInBar({ items = [] }: BoardView): readonly BoardItem[] {
  const top = Math.min(
    ...items.filter((item) => !isFilter(item)).map((item) => positionOf(item).row),
    Infinity,
  );
  return items.filter((item) => {
    const { row, sizeY } = positionOf(item);
    return isFilter(item) && row + sizeY <= top;
  });
}

/**
 * Returns contents with a new filter at the end of the bar of filters. Without room in its rows, the bar gets another
 * row, and all items below it move down.
 */
export function withNewFilter(
  contents: Contents,
  view: BoardView,
  filter: Omit<BoardItem, "position">,
): Contents {
  const items = view.items ?? [];
  const bar = filtersInBar(view).map(positionOf);
  const { sizeX } = sizeOf(filter.type);
  const rows = [...new Set(bar.map(({ row }) => row))].toSorted((one, other) => one - other);
  const bottom = Math.max(0, ...bar.map(({ row, sizeY }) => row + sizeY));
  const places = rows.flatMap((row) =>
    Array.from({ length: Math.floor(columnCount / sizeX) }, (_, at) => ({
      row,
      col: at * sizeX,
      sizeX,
      sizeY: barHeight,
    })),
  );
  const free = places.find(
    (place) => place.row + barHeight <= bottom && !bar.some((each) => overlaps(each, place)),
  );
  if (free)
    return withView(contents, { ...view, items: [...items, { ...filter, position: free }] });
  const below = items.map((item) => {
    const position = positionOf(item);
    return position.row < bottom
      ? item
      : { ...item, position: { ...item.position, ...position, row: position.row + barHeight } };
  });
  const position = { col: 0, row: bottom, sizeX, sizeY: barHeight };
  return withView(contents, { ...view, items: [...below, { ...filter, position }] });
}
