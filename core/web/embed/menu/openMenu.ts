import { adoptStyles, element, placeBelow, viewWordsOf } from "../view/index.ts";
import type { FileType } from "./fileTypes.ts";
import type { MenuOptions } from "./menuOptions.ts";
import { openAlert } from "./openAlert.ts";
import { menuStyles } from "./menuStyles.ts";
import { saveFile } from "./saveFile.ts";

/**
 * Opens the menu of a button, in the top layer. Arrow keys, Home and End move between the entries, and Escape closes
 * the menu. The menu stays open while a file is created, and shows the reason if that fails, even if the reader closed
 * it in the meantime.
 */
export function openMenu(button: HTMLElement, options: MenuOptions): void {
  const { localeId, title, types, create, explain } = options;
  const words = viewWordsOf(localeId());
  const list = element("div", { role: "menu", "aria-label": button.ariaLabel ?? "" });
  const status = element("p", { role: "status" });
  const menu = element("div", { class: "mf-menu", part: "menu", popover: "auto" }, list, status);
  const entries = types().map((type) => {
    const entry = element(
      "button",
      { type: "button", role: "menuitem", tabindex: -1 },
      words[type],
    );
    entry.addEventListener("click", () => void run(type));
    return entry;
  });
  const subject = options.alert();
  if (subject) {
    const entry = element(
      "button",
      { type: "button", role: "menuitem", tabindex: -1 },
      words.alert,
    );
    entry.addEventListener("click", () => {
      menu.hidePopover();
      openAlert(button, subject, options);
    });
    entries.push(entry);
  }
  list.append(...entries);
  let isRunning = false;
  let isOpen = false;

  async function run(type: FileType): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    list.ariaBusy = "true";
    status.textContent = words.creating;
    try {
      const file = await create(type);
      saveFile(file, title() || words.file, type);
      if (isOpen) menu.hidePopover();
      else menu.remove();
    } catch (failure) {
      status.textContent = explain(failure);
      if (!isOpen && menu.isConnected) show();
    } finally {
      isRunning = false;
      list.ariaBusy = "false";
    }
  }

  function show(): void {
    menu.showPopover();
    placeBelow(menu, button);
    entries[0]?.focus();
  }

  menu.addEventListener("beforetoggle", (event) => {
    if (event.newState === "closed" && menu.matches(":focus-within")) button.focus();
  });
  menu.addEventListener("toggle", (event) => {
    isOpen = event.newState === "open";
    button.ariaExpanded = String(isOpen);
    if (!isOpen && !isRunning) menu.remove();
  });
  menu.addEventListener("keydown", (event) => {
    const at = entries.findIndex((each) => each.matches(":focus"));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) entries.at((at + step) % entries.length)?.focus();
    else if (event.key === "Home") entries[0]?.focus();
    else if (event.key === "End") entries.at(-1)?.focus();
    else if (event.key === "Tab") menu.hidePopover();
    else return;
    event.preventDefault();
  });
  button.parentElement?.append(menu);
  adoptStyles(menu, menuStyles());
  isOpen = true;
  show();
}
