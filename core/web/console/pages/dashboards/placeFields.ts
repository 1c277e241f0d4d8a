import { html, type TemplateResult } from "lit";
import { textField } from "../../parts/index.ts";
import { positionOf, type BoardItem, type Position } from "./contents.ts";
import type { ChangeItem } from "./lookFields.ts";
import { words } from "./words.ts";

const places = ["col", "row", "sizeX", "sizeY"] as const satisfies readonly (keyof Position)[];

/** Fields for the place of an item on the grid and for its size, with the keys that change them. */
export function placeFields(item: BoardItem, onChange: ChangeItem): TemplateResult {
  const place = positionOf(item);
  return html`<details class="panel-part">
    <summary>${words.parts.place}</summary>
    <div class="panel-fields">
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
              onChange({ ...item, position: { ...item.position, ...place, [name]: value } }, name);
            },
          }),
        )}
      </div>
      <p class="muted small">${words.itemHelp}</p>
    </div>
  </details>`;
}
