import type { Mark } from "../../charts/index.ts";
import type { Choice } from "./createPlot.ts";
import type { ItemPicture } from "./itemPicture.ts";
import type { Sorting } from "./sortRows.ts";

/** Callbacks of an item view. Every member is optional. */
export interface ItemViewOptions {
  /**
   * Called when the reader chooses a mark or a cell, or clears the choice (`undefined`).
   * @default marks cannot be chosen
   */
  readonly onChoose?: (choice: Choice | undefined) => void;
  /** Called when the reader requests a finer level for a mark, or the coarser level (without a mark). */
  readonly onDrill?: (mark: Mark | undefined) => void;
  /** Called when the pointer enters the picture. */
  readonly onHover?: () => void;
  /**
   * Called while the reader drags over the picture, with the rows in the dragged range. `isDone` is true at the end.
   * @default brushing is off
   */
  readonly onBrush?: (rows: readonly number[], isDone: boolean) => void;
  /**
   * Called when the reader sorts a table. If the table does not have all rows, the next answer must have this order.
   * @default all tables sort the rows that they have
   */
  readonly onSort?: (sorting: Sorting | undefined) => void;
  /** Called when the script of a kind of picture could not be loaded. The item shows the failure and can try again. */
  readonly onFailure?: (failure: unknown) => void;
  /**
   * Called when the reader clicks the button of a failed item.
   * @default failed items have no button
   */
  readonly onRetry?: () => void;
  /**
   * The bar that contains the view's buttons.
   * @default a bar in the view, in its upper corner at the end
   */
  readonly tools?: HTMLElement;
  /** Called after the picture is drawn. */
  readonly onDrawn?: (picture: ItemPicture) => void;
}
