const storageKey = "manifold-colours";
export type ColorMode = "light" | "dark";
/** What the reader chose in this browser: a mode, or the mode of the system. */
export type ColorChoice = ColorMode | "system";

/** The colour mode of the page: the reader's choice in this browser, or the system's. */
export interface ColorModes {
  readonly current: ColorMode;
  readonly choice: ColorChoice;
  choose(choice: ColorChoice): void;
}

/** Sets the colour mode of the document. Follows the system until the reader chooses a mode. */
export function openColorModes(changed: () => void): ColorModes {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const choice = (): ColorChoice => {
    const stored = localStorage.getItem(storageKey);
    return stored === "light" || stored === "dark" ? stored : "system";
  };
  const current = (): ColorMode => {
    const chosen = choice();
    return chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
  };
  const apply = () => {
    document.documentElement.dataset["theme"] = current();
    changed();
  };
  system.addEventListener("change", apply);
  apply();
  return {
    get current() {
      return current();
    },
    get choice() {
      return choice();
    },
    choose(chosen) {
      if (chosen === "system") localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, chosen);
      apply();
    },
  };
}
