import { gridColumns, gridRowHeight, type PlacedItem } from "../../charts/index.ts";
import { element } from "../view/index.ts";

export interface CellOptions {
  /** Whether this is the only item shown. It is then as large as the element. */
  readonly isSingle: boolean;
  /** Whether items are placed below each other, each with its own height. */
  readonly isStacked: boolean;
}

/** Creates the cell of an item in the grid of a dashboard. */
export function createCell(
  { item, position }: PlacedItem,
  { isSingle, isStacked }: CellOptions,
): HTMLElement {
  const cell = element("div", { class: "mf-cell", "data-item": item.id });
  const { col, row, sizeX, sizeY } = position;
  const from = Math.min(gridColumns - 1, Math.round(col));
  const span = Math.max(1, Math.min(gridColumns - from, Math.round(sizeX)));
  const height = Math.max(1, Math.round(sizeY));
  cell.style.setProperty("grid-column", `${from + 1} / span ${span}`);
  cell.style.setProperty("grid-row", `${Math.round(row) + 1} / span ${height}`);
  if (!isSingle) cell.style.setProperty("min-height", `${height * gridRowHeight}px`);
  if (!isSingle) {
    // On paper, cells flow like words, because browsers cut the rows of tables in a grid.
    cell.style.setProperty("--mf-span", String(span));
    cell.style.setProperty("--mf-height", `${height * gridRowHeight}px`);
  }
  if (isStacked) cell.style.setProperty("height", `${height * gridRowHeight}px`);
  return cell;
}

/** Sorts items from top to bottom, the order in which keyboards and screen readers visit them. */
export function inReadingOrder(placed: readonly PlacedItem[]): readonly PlacedItem[] {
  return placed.toSorted(
    (one, other) => one.position.row - other.position.row || one.position.col - other.position.col,
  );
}
