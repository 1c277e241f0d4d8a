import { adoptStyles, element, placeBelow } from "../view/index.ts";
import { createMenu } from "./createMenu.ts";
import { menuStyles } from "./menuStyles.ts";

/** An entry of the menu of a mark: an action, or a link. */
export type MarkEntry =
  | { readonly name: string; run(): void }
  | { readonly name: string; readonly address: string; readonly target: string };

export interface MarkMenuOptions {
  /** Name of the menu for screen readers. */
  readonly name: string;
  readonly entries: readonly MarkEntry[];
  /** The element that contains the mark. */
  readonly container: HTMLElement;
  /** The element that gets the focus when the menu closes. */
  readonly opener: HTMLElement;
  /** Where the reader pressed, in pixels from the corner of the window; undefined for the middle of the container. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

/** Opens a menu at a mark, in the top layer. */
export function openMarkMenu({ name, entries, container, opener, at }: MarkMenuOptions): void {
  const made = entries.map((entry) => {
    const item =
      "run" in entry
        ? element("button", { type: "button" }, entry.name)
        : element(
            "a",
            { href: entry.address, target: entry.target, rel: "noopener noreferrer" },
            entry.name,
          );
    item.addEventListener("click", () => {
      menu.hidePopover();
      if ("run" in entry) entry.run();
    });
    return item;
  });
  const { root: menu } = createMenu(made, name, opener);
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") menu.remove();
  });
  container.append(menu);
  adoptStyles(menu, menuStyles());
  const anchor = element("span", { class: "mf-anchor" });
  container.append(anchor);
  const { left, top, width, height } = container.getBoundingClientRect();
  const { x, y } = at ?? { x: left + width / 2, y: top + height / 2 };
  anchor.style.setProperty("left", `${x - left}px`);
  anchor.style.setProperty("top", `${y - top}px`);
  menu.showPopover();
  placeBelow(menu, anchor);
  anchor.remove();
  made[0]?.focus();
}
