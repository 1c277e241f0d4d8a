import { retryImport } from "../../charts/index.ts";
import { element } from "../view/index.ts";
import type { PickersOptions } from "./pickersOptions.ts";

/** The pickers of an item: menus in which readers choose its columns. */
export interface Pickers {
  /** Draws the menus in the current language, with the current choices. */
  draw(): void;
}

const loadPickers = retryImport(() => import("./fillPickers.ts"));

/** Opens a bar above an item in which readers choose its columns. The script loads with the first such item. */
export function openPickers(options: PickersOptions): Pickers {
  const root = element("div", { class: "mf-pickers", part: "pickers" });
  options.container.prepend(root);
  return {
    draw() {
      loadPickers().then(({ fillPickers }) => {
        const item = options.item();
        if (item) fillPickers(root, item, options);
      }, options.onFailure);
    },
  };
}
