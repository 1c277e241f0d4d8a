import { columnCount, positionOf, type BoardView } from "./contents.ts";

/** The views of phones by view, so that equal views have the same items. */
const views = new WeakMap<BoardView, BoardView>();

/**
 * Returns the view of another screen as phones show it: all items below each other in reading order, each as wide as
 * the screen.
 */
export function phoneView(view: BoardView): BoardView {
  const known = views.get(view);
  if (known) return known;
  const inOrder = [...(view.items ?? [])].toSorted((one, other) => {
    const [a, b] = [positionOf(one), positionOf(other)];
    return a.row - b.row || a.col - b.col;
  });
  let row = 0;
  const items = inOrder.map((item) => {
    const { sizeY } = positionOf(item);
    const position = { ...item.position, col: 0, row, sizeX: columnCount, sizeY };
    row += sizeY;
    return { ...item, position };
  });
  const stacked = { ...view, items };
  views.set(view, stacked);
  return stacked;
}
