import { html, type TemplateResult } from "lit";
import { textOf } from "../../language/index.ts";
import { selectField, textField } from "../../parts/index.ts";
import { positionOf, type BoardItem, type Position } from "./contents.ts";
import { words } from "./words.ts";

export interface ItemPanelOptions {
  readonly item: BoardItem;
  readonly filterCount: number;
  onChange(item: BoardItem): void;
  onFilters(): void;
  onRemove(): void;
}

const types: Readonly<Record<string, string>> = words.types;
const controls: Readonly<Record<string, string>> = words.controls;
const places = ["col", "row", "sizeX", "sizeY"] as const satisfies readonly (keyof Position)[];

/** The panel of the item that is edited: its title, chart, filters and place. */
export function itemPanel(options: ItemPanelOptions): TemplateResult {
  const { item, filterCount, onChange, onFilters, onRemove } = options;
  const place = positionOf(item);
  const isChart = types[item.type] !== undefined;
  return html`<aside class="item-panel surface" aria-label=${words.item}>
    ${textField({
      id: "item-title",
      label: words.itemTitle,
      value: textOf(item.options?.["title"]),
      hint: words.itemHelp,
      onInput: (title) => onChange({ ...item, options: { ...item.options, title: { en: title } } }),
    })}
    ${
      isChart
        ? selectField({
            id: "item-type",
            label: words.itemType,
            value: item.type,
            choices: Object.entries(types).map(([value, label]) => ({ value, label })),
            onSelect: (type) => onChange({ ...item, type }),
          })
        : html`<p class="muted">${controls[item.type] ?? ""}</p>`
    }
    ${
      isChart
        ? html`<button class="button" @click=${onFilters}>
            ${words.itemFilters(filterCount)}
          </button>`
        : ""
    }
    <div class="item-place">
      ${places.map((name) =>
        textField({
          id: `item-${name}`,
          label: words.places[name],
          type: "number",
          value: String(place[name]),
          onInput: (text) => {
            const value = Number(text);
            if (text.trim() === "" || !Number.isInteger(value) || value < 0) return;
            onChange({ ...item, position: { ...item.position, ...place, [name]: value } });
          },
        }),
      )}
    </div>
    <button class="button danger" @click=${onRemove}>${words.removeItem}</button>
  </aside>`;
}
