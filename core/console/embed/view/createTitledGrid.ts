import {
  cleanText,
  kindOfItem,
  readColumns,
  titleOf,
  wordsOf,
  type ChartCell,
  type SlotField,
} from "../../../charts/index.ts";
import { createGrid } from "./createGrid.ts";
import { element } from "./element.ts";
import type { ItemPicture } from "./itemPicture.ts";

export interface TitledGrid {
  readonly root: HTMLElement;
  show(
    picture: ItemPicture,
    fields: readonly SlotField[],
    rows: readonly (readonly ChartCell[])[],
  ): void;
  close(): void;
}

/** Makes a table with the title of its item above, and the number of its rows below. */
export function createTitledGrid(): TitledGrid {
  const title = element("div", { class: "mf-title", part: "title" });
  const foot = element("div", { class: "mf-foot" });
  const grid = createGrid();
  const root = element("div", { class: "mf-titled" }, title, grid.root, foot);
  return {
    root,
    show({ item, localeId, timezoneId }, fields, rows) {
      const name = titleOf(item, readColumns({ fields, localeId, timezoneId }), localeId);
      title.textContent = name;
      title.hidden = name === "";
      const cells = item.options["cells"];
      const hasBars =
        typeof cells === "object" && cells !== null && Reflect.get(cells, "bars") === true;
      grid.show({ name: name || item.type, fields, rows, localeId, timezoneId, hasBars });
      const { rows: ofRows, unknownType } = wordsOf(localeId);
      const count = `${new Intl.NumberFormat(localeId).format(rows.length)} ${ofRows}`;
      const note = kindOfItem(item.type) ? [] : [`${unknownType} (${cleanText(item.type) || "?"})`];
      foot.textContent = [count, ...note].join(" · ");
    },
    close: grid.close,
  };
}
