import { element } from "../view/index.ts";

/** A menu in the top layer. */
export interface Menu {
  /** The popover. */
  readonly root: HTMLElement;
  readonly list: HTMLElement;
}

/**
 * Creates a menu from entries, which are buttons or links. Arrow keys, Home and End move between the entries, Tab and
 * Escape close the menu, and then the focus returns to `opener`.
 */
export function createMenu(
  entries: readonly HTMLElement[],
  name: string,
  opener: HTMLElement,
): Menu {
  for (const entry of entries) {
    entry.role = "menuitem";
    entry.tabIndex = -1;
  }
  const list = element("div", { role: "menu", "aria-label": name }, ...entries);
  const root = element("div", { class: "mf-menu", part: "menu", popover: "auto" }, list);
  root.addEventListener("beforetoggle", (event) => {
    if (event.newState === "closed" && root.matches(":focus-within")) opener.focus();
  });
  root.addEventListener("keydown", (event) => {
    const at = entries.findIndex((each) => each.matches(":focus"));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) entries.at((at + step) % entries.length)?.focus();
    else if (event.key === "Home") entries[0]?.focus();
    else if (event.key === "End") entries.at(-1)?.focus();
    else if (event.key === "Tab") root.hidePopover();
    else return;
    event.preventDefault();
  });
  return { root, list };
}
