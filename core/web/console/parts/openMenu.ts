import { html, nothing, render } from "lit";
import { checkIcon } from "./icons.ts";
import { overlayPlace } from "./overlayPlace.ts";
import { rootOf } from "./rootOf.ts";

/** An entry of a menu; `separator` is a line between groups. */
export type MenuItem =
  | "separator"
  | {
      readonly label: string;
      readonly isDangerous?: boolean;
      /** Whether the entry is the chosen one of a group. Absent: the entry is an action. */
      readonly isChosen?: boolean;
      run(): void;
    };

/** Where a menu opens instead of below its button. */
export interface MenuPlace {
  /** A point of the window, in pixels. */
  readonly at?: { readonly x: number; readonly y: number };
}

/**
 * Opens a menu below the pressed button, or at a point. Arrow keys move between entries, Enter runs an entry, and
 * Escape closes the menu.
 */
export function openMenu(
  button: HTMLElement,
  label: string,
  items: readonly MenuItem[],
  { at }: MenuPlace = {},
): void {
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", label);
  menu.popover = "auto";
  const close = () => menu.hidePopover();
  render(
    items.map((item) =>
      item === "separator"
        ? html`<hr role="separator" />`
        : html`<button
            role=${item.isChosen === undefined ? "menuitem" : "menuitemradio"}
            aria-checked=${item.isChosen === undefined ? nothing : String(item.isChosen)}
            tabindex="-1"
            class=${item.isDangerous ? "danger" : nothing}
            @click=${() => {
              close();
              item.run();
            }}
          >
            ${item.label}${item.isChosen ? checkIcon : nothing}
          </button>`,
    ),
    menu,
  );
  overlayPlace().append(menu);
  menu.addEventListener("toggle", (event) => {
    const isOpen = event.newState === "open";
    if (!at) button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) return;
    menu.remove();
  });
  menu.addEventListener("keydown", (event) => {
    const choices = [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
    const current = choices.findIndex((each) => each === rootOf(menu).activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choices.at((current + step) % choices.length)?.focus();
    else if (event.key === "Home") choices[0]?.focus();
    else if (event.key === "End") choices.at(-1)?.focus();
    else if (event.key === "Tab") close();
    else return;
    event.preventDefault();
    if (event.key === "Tab") button.focus();
  });
  menu.showPopover();
  place(menu, at ? new DOMRect(at.x, at.y, 0, 0) : button.getBoundingClientRect());
  menu.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
}

/** Positions a floating element below another element, within the window. */
export const placeBelow = (floating: HTMLElement, anchor: HTMLElement): void =>
  place(floating, anchor.getBoundingClientRect());

function place(floating: HTMLElement, { left, right, bottom, top }: DOMRect): void {
  const { width, height } = floating.getBoundingClientRect();
  const fits = left + width <= window.innerWidth - 8;
  const x = fits ? left : Math.max(8, right - width);
  const isBelow = bottom + 4 + height <= window.innerHeight || top < height;
  floating.style.left = `${x}px`;
  floating.style.top = `${isBelow ? bottom + 4 : top - height - 4}px`;
}
