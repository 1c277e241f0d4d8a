import type { Page } from "playwright-core";

/** Maximum number of times that a person presses Tab to reach the next control. */
const mostTabs = 40;

/** Uses a page with nothing but the keyboard. */
export interface ByKeyboard {
  /** Presses Tab until a control with a name has the focus. Fails if the way is long, or if the focus is trapped. */
  tabTo(name: string | RegExp, key?: "Tab" | "Shift+Tab"): Promise<void>;
  /** Returns the name of the control that has the focus; "" if none has it. */
  focused(): Promise<string>;
  /** Goes to a control, and presses Enter. */
  enter(name: string | RegExp): Promise<void>;
  /** Goes to a field, and types into it. */
  fill(name: string | RegExp, text: string): Promise<void>;
  /** Goes to a checkbox or radio button, and presses Space. */
  check(name: string | RegExp): Promise<void>;
  /** Goes to a list box, and chooses the entry that begins with a value. */
  choose(name: string | RegExp, value: string): Promise<void>;
}

/** Returns the name of the control that has the focus; "" if the focus is lost. */
function nameOfFocus(): string {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || active === document.body) return "";
  const labels = "labels" in active ? [...((active.labels as NodeListOf<HTMLElement>) ?? [])] : [];
  const text =
    active.ariaLabel ?? (labels.map((each) => each.innerText).join(" ") || active.innerText);
  return text.trim().replaceAll(/\s+/g, " ");
}

/** Returns the actions of a person who uses a page with only the keyboard. */
export function byKeyboard(page: Page): ByKeyboard {
  const isAt = async (name: string | RegExp): Promise<boolean> => {
    const found = await page.evaluate(nameOfFocus);
    return typeof name === "string" ? found === name : name.test(found);
  };
  const tabTo: ByKeyboard["tabTo"] = async (name, key = "Tab") => {
    const passed: string[] = [];
    for (let tabs = 0; tabs <= mostTabs; tabs++) {
      if (await isAt(name)) return;
      await page.keyboard.press(key);
      passed.push(await page.evaluate(nameOfFocus));
    }
    throw new Error(`${mostTabs} tabs do not lead to ${String(name)}, but to ${passed.join(", ")}`);
  };
  return {
    tabTo,
    focused: () => page.evaluate(nameOfFocus),
    async enter(name) {
      await tabTo(name);
      await page.keyboard.press("Enter");
    },
    async fill(name, text) {
      await tabTo(name);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    async check(name) {
      await tabTo(name);
      await page.keyboard.press("Space");
    },
    async choose(name, value) {
      await tabTo(name);
      // A closed list box goes to the entry that begins with what is typed.
      await page.keyboard.type(value);
    },
  };
}
