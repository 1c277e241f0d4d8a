import type { LegendEntry } from "../../charts/index.ts";
import { element, place } from "./element.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

/** The legend of a picture, which hides and shows series. */
export interface Legend {
  readonly root: HTMLElement;
  /** Returns the ids of the series that the reader has hidden. */
  hidden(): ReadonlySet<string>;
  /** Places buttons over the series names of a picture. Buttons that remain keep the focus. */
  show(entries: readonly LegendEntry[], localeId: string): void;
  /** Forgets which series were hidden, so that the next picture shows all series. */
  reset(): void;
}

/** Creates the legend of a picture: a button over each series name that hides or shows the series. */
export function createLegend(onChange: () => void): Legend {
  const root = element("div", { role: "group", class: "mf-legend" });
  let hidden = new Set<string>();
  let ids: readonly string[] = [];
  let buttons: readonly HTMLButtonElement[] = [];
  let shownKey = "";

  /** Hides or shows a series. With Shift (`isAlone`), shows only the clicked series. */
  function toggle(id: string, isAlone: boolean): void {
    const others = ids.filter((each) => each !== id);
    if (isAlone) hidden = new Set(others.every((each) => hidden.has(each)) ? [] : others);
    else if (!hidden.delete(id)) hidden.add(id);
    // Hiding the last series shows all of them again.
    if (ids.every((each) => hidden.has(each))) hidden = new Set();
    onChange();
  }

  return {
    root,
    hidden: () => hidden,
    show(all, localeId) {
      ids = all.flatMap(({ id }) => id ?? []);
      const entries = all.filter(({ id, box }) => id !== undefined && box);
      const key = JSON.stringify([entries, [...hidden], localeId]);
      if (key === shownKey) return;
      shownKey = key;
      const focused = root.getRootNode();
      const before =
        focused instanceof ShadowRoot || focused instanceof Document
          ? buttons.findIndex((each) => each === focused.activeElement)
          : -1;
      root.ariaLabel = viewWordsOf(localeId).legend;
      root.hidden = entries.length === 0;
      buttons = entries.map(({ id = "", name, box }) => {
        const button = element(
          "button",
          {
            type: "button",
            class: "mf-series",
            part: "legend-entry",
            "aria-pressed": String(!hidden.has(id)),
          },
          name,
        );
        const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
        place(button, { left: x, top: y, width, height });
        button.addEventListener("click", ({ shiftKey }) => toggle(id, shiftKey));
        return button;
      });
      root.replaceChildren(...buttons);
      buttons[before]?.focus();
    },
    reset() {
      hidden = new Set();
    },
  };
}
