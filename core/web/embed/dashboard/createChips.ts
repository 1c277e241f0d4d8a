import type { Drills, Selections } from "../selections/index.ts";
import { element, viewWordsOf } from "../view/index.ts";

/** Prefix for the chip of an item in which the reader drilled down. Item ids never begin with a space. */
const drillPrefix = " drill ";

export interface ChipsOptions {
  /** Called when the reader removes the chip of a selection, with the source of that selection. */
  onRemove(source: string): void;
  /** Called when the reader clicks the chip of an item in which they drilled down. */
  onUp(itemId: string): void;
}

export interface Chips {
  readonly root: HTMLElement;
  /** Shows one chip for each filter of the dashboard. Chips that remain keep their element and the focus. */
  show(selections: Selections, drills: Drills, localeId: string): void;
}

/** Creates the row of chips above a dashboard: one for each choice of the reader, to undo it. */
export function createChips({ onRemove, onUp }: ChipsOptions): Chips {
  const root = element("div", { class: "mf-chips", part: "filters", role: "group" });
  const chipBySource = new Map<string, HTMLElement>();
  root.hidden = true;

  function open(source: string): HTMLElement {
    const chip = element("button", { type: "button", class: "mf-chip", part: "chip" });
    chip.addEventListener("click", () => {
      if (source.startsWith(drillPrefix)) onUp(source.slice(drillPrefix.length));
      else onRemove(source);
    });
    chipBySource.set(source, chip);
    root.append(chip);
    return chip;
  }

  return {
    root,
    show(selections, drills, localeId) {
      const words = viewWordsOf(localeId);
      const entries = [
        ...selections.entries().map(([source, { label }]) => ({
          source,
          text: `${label} ×`,
          says: `${words.remove} ${label}`,
        })),
        ...drills.entries().map(([id, label]) => ({
          source: `${drillPrefix}${id}`,
          text: `${label} ↑`,
          says: `${words.up} ${label}`,
        })),
      ];
      root.hidden = entries.length === 0;
      root.ariaLabel = words.filters;
      const shown = new Set(entries.map(({ source }) => source));
      for (const [source, chip] of chipBySource)
        if (!shown.has(source)) {
          chip.remove();
          chipBySource.delete(source);
        }
      for (const { source, text, says } of entries) {
        const chip = chipBySource.get(source) ?? open(source);
        chip.textContent = text;
        chip.ariaLabel = says;
      }
    },
  };
}
