import { retryImport } from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { MenuOptions } from "./menuOptions.ts";

/** A button that opens a menu. */
export interface MenuButton {
  readonly root: HTMLElement;
  /** Shows or hides the button, and writes its name in the current language. */
  draw(): void;
}

const loadMenu = retryImport(() => import("./menus.ts"));

/**
 * Creates a button that opens a menu. The button is hidden if the menu would be empty. The script of the menu loads
 * when the button is first pressed.
 */
export function createMenuButton(options: MenuOptions): MenuButton {
  const { isNamed } = options;
  const root = element("button", {
    type: "button",
    class: "mf-button",
    part: "menu-button",
    "aria-haspopup": "menu",
    "aria-expanded": "false",
  });
  let wasOpen = false;
  // A press outside an open menu closes it, so a press of its button must not open it again.
  root.addEventListener("pointerdown", () => {
    wasOpen = root.ariaExpanded === "true";
  });
  root.addEventListener("click", () => {
    const isClosing = wasOpen;
    wasOpen = false;
    if (!isClosing) void open();
  });

  function draw(): void {
    const words = viewWordsOf(options.localeId());
    root.hidden = options.types().length === 0 && !options.alert();
    root.textContent = isNamed ? words.options : "•••";
    root.ariaLabel = [words.options, options.title()].filter((each) => each !== "").join(": ");
  }

  async function open(): Promise<void> {
    try {
      const { openMenu } = await loadMenu();
      draw();
      if (root.isConnected) openMenu(root, options);
    } catch (failure) {
      root.textContent = viewWordsOf(options.localeId()).retry;
      options.onFailure(failure);
    }
  }

  root.hidden = true;
  return { root, draw };
}
