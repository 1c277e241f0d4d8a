import { html, type TemplateResult } from "lit";
import { addIcon, closeIcon, elementOf } from "../parts/index.ts";
import type { Shelf } from "../questions/index.ts";
import { dragColumn, type DraggedColumn } from "./dragColumn.ts";
import { words } from "./words.ts";

/** A column on a shelf, shown as a button with its label. */
export interface Chip {
  readonly columnId: string;
  readonly label: string;
  /** Opens the menu or form that changes the column. */
  change(button: HTMLElement): void;
  remove(): void;
}

export interface ShelfOptions {
  readonly shelf: Shelf;
  readonly name: string;
  readonly chips: readonly Chip[];
  /** Shown at the end of the shelf. */
  readonly more?: TemplateResult;
  onDrop(dragged: DraggedColumn): void;
  /** Opens the menu of the columns that can be added. */
  onAdd(button: HTMLElement): void;
}

/** A shelf with its columns, on which columns can be dropped. Delete removes the focused column. */
export function shelfRow({
  shelf,
  name,
  chips,
  more,
  onDrop,
  onAdd,
}: ShelfOptions): TemplateResult {
  return html`<div
    class="shelf"
    role="group"
    aria-label=${name}
    @column-dropped=${({ detail }: CustomEvent<DraggedColumn>) => onDrop(detail)}
  >
    <span class="shelf-name">${name}</span>
    ${chips.map(
      (chip, index) =>
        html`<span class="chip">
          <button
            class="truncate"
            aria-label=${words.change(chip.label)}
            @click=${(event: Event) => chip.change(elementOf(event.currentTarget, HTMLElement))}
            @pointerdown=${(event: PointerEvent) =>
              dragColumn(event, {
                id: chip.columnId,
                label: chip.label,
                from: { shelf, index },
              })}
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
    <button
      class="shelf-add"
      aria-haspopup="menu"
      aria-label=${words.addColumnTo(name)}
      @click=${(event: Event) => onAdd(elementOf(event.currentTarget, HTMLElement))}
    >
      ${addIcon}${chips.length === 0 ? words.addColumn : ""}
    </button>
    ${more ?? ""}
  </div>`;
}
