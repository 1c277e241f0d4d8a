import {
  cleanText,
  kindOfItem,
  readColumns,
  titleOf,
  totalsOf,
  wordsOf,
} from "../../charts/index.ts";
import { createGrid } from "./createGrid.ts";
import { element } from "./element.ts";
import type { ItemPicture, ItemState } from "./itemPicture.ts";

/** A table with a title and a row count. */
export interface TitledGrid {
  readonly root: HTMLElement;
  show(picture: ItemPicture, answer: Extract<ItemState, { kind: "answer" }>): void;
  close(): void;
}

/** Creates a table, with the title of its item above the table and the number of rows below it. */
export function createTitledGrid(): TitledGrid {
  const title = element("div", { class: "mf-title", part: "title" });
  const foot = element("div", { class: "mf-foot" });
  const grid = createGrid();
  const root = element("div", { class: "mf-titled" }, title, grid.root, foot);
  return {
    root,
    show({ item, theme, colors, localeId, timezoneId }, { fields, rows, totals }) {
      const name = titleOf(item, readColumns({ fields, localeId, timezoneId }), localeId);
      title.textContent = name;
      title.hidden = name === "";
      grid.show({
        name: name || item.type,
        item,
        fields,
        rows,
        totals,
        theme,
        colors,
        localeId,
        timezoneId,
      });
      const { rows: ofRows, unknownType, noTotals } = wordsOf(localeId);
      const count = `${new Intl.NumberFormat(localeId).format(rows.length)} ${ofRows}`;
      const unknown = `${unknownType} (${cleanText(item.type) || "?"})`;
      const notes = [
        ...(kindOfItem(item.type) ? [] : [unknown]),
        ...(!totals && totalsOf(item) ? [noTotals] : []),
      ];
      foot.textContent = [count, ...notes].join(" · ");
    },
    close: grid.close,
  };
}
