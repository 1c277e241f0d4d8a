const storageKey = "manifold-colours";
export type ColorMode = "light" | "dark";

/** The colour mode of the page: the reader's choice in this browser, or the system's. */
export interface ColorModes {
  readonly current: ColorMode;
  toggle(): void;
}

/** Sets the colour mode of the document. Follows the system until the reader chooses a mode. */
export function openColorModes(changed: () => void): ColorModes {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    const stored = localStorage.getItem(storageKey);
    return stored === "light" || stored === "dark" ? stored : undefined;
  };
  const current = (): ColorMode => chosen() ?? (system.matches ? "dark" : "light");
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
    toggle() {
      localStorage.setItem(storageKey, current() === "dark" ? "light" : "dark");
      apply();
    },
  };
}
