import {
  cleanText,
  counted,
  isRanking,
  kindOfItem,
  readColumns,
  rowCountText,
  titleOf,
  totalsOf,
  wordsOf,
} from "../../charts/index.ts";
import { createGrid, mostPrintedRows, type Grid } from "./createGrid.ts";
import { element } from "./element.ts";
import type { ItemPicture, ItemState } from "./itemPicture.ts";
import type { Sorting } from "./sortRows.ts";

/** A table with a title and a row count. */
export interface TitledGrid {
  readonly root: HTMLElement;
  show(picture: ItemPicture, answer: Extract<ItemState, { kind: "answer" }>): void;
  /** Shows all rows below each other for paper, or only the visible rows again. */
  print(isOnPaper: boolean): void;
  /** Returns the order in which the reader sorted the rows. */
  sorting: Grid["sorting"];
  close(): void;
}

/**
 * Creates a table, with the title of its item above the table and the number of rows below it. `onSort` is called
 * with the reader's order, in which the host sorts tables that do not have all rows.
 */
export function createTitledGrid(onSort?: (sorting: Sorting | undefined) => void): TitledGrid {
  const title = element("div", { class: "mf-title", part: "title" });
  const foot = element("div", { class: "mf-foot" });
  /** Says on paper how many rows are left out. */
  const rest = element("div", { class: "mf-foot mf-rest" });
  const grid = createGrid(onSort);
  const root = element("div", { class: "mf-titled" }, title, grid.root, rest, foot);
  return {
    root,
    show(
      { item, theme, colors, localeId, timezoneId },
      { fields, rows, totals, leftOut, folded, warnings = [] },
    ) {
      const name = titleOf(item, readColumns({ fields, localeId, timezoneId }), localeId);
      title.textContent = name;
      title.hidden = name === "";
      grid.show({
        name: name || item.type,
        item,
        fields,
        rows,
        totals,
        isSortedByHost: onSort !== undefined && leftOut !== undefined && !isRanking(item),
        theme,
        colors,
        localeId,
        timezoneId,
      });
      const { unknownType, noTotals, moreRows } = wordsOf(localeId);
      const count = rowCountText(
        { rows, ...(leftOut && { leftOut }), ...(folded && { folded }) },
        localeId,
      );
      const left = rows.length - mostPrintedRows;
      rest.textContent = left > 0 ? counted(moreRows, left, localeId) : "";
      const unknown = `${unknownType} (${cleanText(item.type) || "?"})`;
      const notes = [
        ...(kindOfItem(item.type) ? [] : [unknown]),
        ...(!totals && totalsOf(item) ? [noTotals] : []),
      ];
      foot.textContent = [count, ...notes, ...warnings].join(" · ");
    },
    print: grid.print,
    sorting: grid.sorting,
    close: grid.close,
  };
}
