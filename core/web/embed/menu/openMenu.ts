import { adoptStyles, element, placeBelow, viewWordsOf } from "../view/index.ts";
import { createMenu } from "./createMenu.ts";
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
  const { localeId, title, types, create, explain, rows } = options;
  const words = viewWordsOf(localeId());
  const status = element("p", { role: "status" });
  const entries = types().map((type) => {
    const entry = element("button", { type: "button" }, words[type]);
    entry.addEventListener("click", () => void run(type));
    return entry;
  });
  const subject = options.alert();
  if (subject) {
    const entry = element("button", { type: "button" }, words.alert);
    entry.addEventListener("click", () => {
      menu.hidePopover();
      openAlert(button, subject, options);
    });
    entries.push(entry);
  }
  const tellRows = rows();
  if (tellRows) {
    const entry = element("button", { type: "button" }, words.whichRows);
    entry.addEventListener("click", () => void tell(tellRows));
    entries.push(entry);
  }
  const { root: menu, list } = createMenu(entries, button.ariaLabel ?? "", button);
  menu.append(status);
  let isRunning = false;
  let isOpen = false;

  async function tell(read: () => Promise<readonly string[]>): Promise<void> {
    try {
      status.textContent = (await read()).join("\n");
    } catch (failure) {
      status.textContent = explain(failure);
    }
  }

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

  menu.addEventListener("toggle", (event) => {
    isOpen = event.newState === "open";
    button.ariaExpanded = String(isOpen);
    if (!isOpen && !isRunning) menu.remove();
  });
  button.parentElement?.append(menu);
  adoptStyles(menu, menuStyles());
  isOpen = true;
  show();
}
