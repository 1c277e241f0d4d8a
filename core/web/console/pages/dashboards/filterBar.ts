import { kindOfItem } from "../../../charts/index.ts";
import {
  columnCount,
  positionOf,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { sizeOf } from "./gridPlaces.ts";

/** Returns whether an item is a control with which readers filter the other items. */
export const isFilter = ({ type }: Pick<BoardItem, "type">): boolean =>
  kindOfItem(type)?.kind === "filter";

/**
 * Returns the filters above all other items of a view. They are the bar of filters, which has no stored form of its
 * own.
 */
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
 * Returns contents with a new filter at the end of the bar of filters. All items below the bar move down if it needs
 * more room.
 */
export function withNewFilter(
  contents: Contents,
  view: BoardView,
  filter: Omit<BoardItem, "position">,
): Contents {
  const items = view.items ?? [];
  const bar = filtersInBar(view).map(positionOf);
  const size = sizeOf(filter.type, view.screenModus);
  const bottom = Math.max(0, ...bar.map(({ row, sizeY }) => row + sizeY));
  const last = Math.max(0, ...bar.map(({ row }) => row));
  const line = bar.filter(({ row }) => row === last);
  const end = Math.max(0, ...line.map(({ col, sizeX }) => col + sizeX));
  const isSameLine = end + size.sizeX <= columnCount;
  const place = isSameLine ? { col: end, row: last } : { col: 0, row: bottom };
  const lower = Math.max(0, place.row + size.sizeY - bottom);
  const moved = items.map((item) => {
    const position = positionOf(item);
    return position.row < bottom || lower === 0
      ? item
      : { ...item, position: { ...item.position, ...position, row: position.row + lower } };
  });
  return withView(contents, {
    ...view,
    items: [...moved, { ...filter, position: { ...place, ...size } }],
  });
}
