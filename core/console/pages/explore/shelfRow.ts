import { html, type TemplateResult } from "lit";
import { closeIcon, elementOf } from "../../parts/index.ts";
import type { Shelf } from "../../questions/index.ts";
import { draggedType } from "./columnList.ts";
import { words } from "./words.ts";

/** A column on a shelf. */
export interface Chip {
  readonly label: string;
  /** Opens what can be changed about it. */
  change(button: HTMLElement): void;
  remove(): void;
}

export interface ShelfOptions {
  readonly shelf: Shelf;
  readonly chips: readonly Chip[];
  onDrop(columnId: string): void;
}

/** A shelf with its columns; columns are dropped on it. Delete removes the focused one. */
export function shelfRow({ shelf, chips, onDrop }: ShelfOptions): TemplateResult {
  const over = (event: DragEvent, isOver: boolean) => {
    const element = elementOf(event.currentTarget, HTMLElement);
    const isColumn = event.dataTransfer?.types.includes(draggedType) === true;
    element.classList.toggle("over", isOver && isColumn);
    if (isColumn && isOver) event.preventDefault();
  };
  return html`<div
    class="shelf"
    role="group"
    aria-label=${words.shelves[shelf]}
    @dragover=${(event: DragEvent) => over(event, true)}
    @dragleave=${(event: DragEvent) => over(event, false)}
    @drop=${(event: DragEvent) => {
      over(event, false);
      event.preventDefault();
      const id = event.dataTransfer?.getData(draggedType);
      if (id) onDrop(id);
    }}
  >
    <span class="shelf-name">${words.shelves[shelf]}</span>
    ${chips.map(
      (chip) =>
        html`<span class="chip">
          <button
            class="truncate"
            aria-label=${words.change(chip.label)}
            @click=${(event: Event) => chip.change(elementOf(event.currentTarget, HTMLElement))}
            @keydown=${(event: KeyboardEvent) => {
              if (event.key === "Delete" || event.key === "Backspace") chip.remove();
            }}
          >
            ${chip.label}
          </button>
          <button class="chip-remove" aria-label=${words.remove(chip.label)} @click=${chip.remove}>
            ${closeIcon}
          </button>
        </span>`,
    )}
    ${chips.length === 0 ? html`<span class="muted small">${words.dropHere}</span>` : ""}
  </div>`;
}
