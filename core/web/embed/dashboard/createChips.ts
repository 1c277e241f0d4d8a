import { fillIn } from "../../charts/index.ts";
import type { Drills, Selections } from "../selections/index.ts";
import { element, viewWordsOf } from "../view/index.ts";

/** Prefix for the chip of an item in which the reader drilled down. Item ids never begin with a space. */
const drillPrefix = " drill ";

export interface ChipsOptions {
  /** Returns the title of an item; "" for a source that is not an item. */
  titleOf(source: string): string;
  /** Called when the reader removes all chips. */
  onClear(): void;
  /** Called when the reader removes the chip of a selection, with the source of that selection. */
  onRemove(source: string): void;
  /** Called when the reader clicks the chip of an item in which they drilled down. */
  onUp(itemId: string): void;
}

export interface Chips {
  readonly root: HTMLElement;
  /** Says which parts of a state were ignored; "" for none. */
  say(text: string): void;
  /** Shows one chip for each filter of the dashboard. Chips that remain keep their element and the focus. */
  show(selections: Selections, drills: Drills, localeId: string): void;
}

/** Creates the row of chips above a dashboard: one for each choice of the reader, to undo it. */
export function createChips({ titleOf, onRemove, onUp, onClear }: ChipsOptions): Chips {
  const root = element("div", { class: "mf-chips", part: "filters", role: "group" });
  const chipBySource = new Map<string, HTMLElement>();
  const note = element("span", { class: "mf-note", role: "status" });
  const clear = element("button", { type: "button", class: "mf-clear", part: "clear" });
  clear.addEventListener("click", onClear);
  root.append(clear, note);
  root.hidden = true;
  let hasChips = false;
  const showRoot = () => {
    root.hidden = !hasChips && note.textContent === "";
  };

  function open(source: string): HTMLElement {
    const chip = element("button", { type: "button", class: "mf-chip", part: "chip" });
    chip.addEventListener("click", () => {
      if (source.startsWith(drillPrefix)) onUp(source.slice(drillPrefix.length));
      else onRemove(source);
    });
    chipBySource.set(source, chip);
    clear.before(chip);
    return chip;
  }

  function named(source: string, label: string): string {
    const title = titleOf(source);
    return title === "" ? label : `${title}: ${label}`;
  }

  return {
    root,
    say(text) {
      note.textContent = text;
      showRoot();
    },
    show(selections, drills, localeId) {
      const words = viewWordsOf(localeId);
      const entries = [
        ...selections.entries().map(([source, { label }]) => ({
          source,
          text: `${named(source, label)} ×`,
          says: fillIn(words.remove, { name: named(source, label) }),
        })),
        ...drills.entries().map(([id, label]) => ({
          source: `${drillPrefix}${id}`,
          text: `${named(id, label)} ↑`,
          says: fillIn(words.up, { name: named(id, label) }),
        })),
      ];
      hasChips = entries.length > 0;
      showRoot();
      root.ariaLabel = words.filters;
      clear.textContent = words.clear;
      clear.hidden = entries.length < 2;
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
