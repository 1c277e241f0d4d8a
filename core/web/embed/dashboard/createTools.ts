import { createMenuButton, type MenuOptions } from "../menu/index.ts";
import { element } from "../view/index.ts";

/** The buttons of a dashboard or an item: those of the page, and the menu. */
export interface Tools {
  readonly root: HTMLElement;
  /** Draws the menu's button in the current language. */
  draw(): void;
}

/** Creates the buttons of a dashboard or an item. The page's own buttons appear in the slot of this name. */
export function createTools(
  slotName: string,
  options: MenuOptions & { readonly className: string },
): Tools {
  const menu = createMenuButton(options);
  const slot = element("slot", { name: slotName });
  const root = element("div", { class: options.className, part: "tools" }, slot, menu.root);
  return { root, draw: menu.draw };
}
