import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import {
  isItemType,
  itemTypes,
  listOf,
  splitFields,
  readItem,
  type ChartTheme,
  type ItemKind,
} from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import { elementOf } from "../../parts/index.ts";
import { colorSlotOf } from "../../questions/index.ts";
import type { BoardItem } from "./contents.ts";
import { colorField, type ChangeItem } from "./lookFields.ts";
import { formAt, valueAt, withValueAt } from "./optionPath.ts";
import { withMember } from "./slotMembers.ts";
import { lookWords as words } from "./lookWords.ts";

/** Kinds whose colours show numbers, or that have none. */
const withoutSeries: readonly ItemKind[] = ["table", "pivot", "heatTable"];
/** How many colours of series can be chosen. Further series have the next colours of the theme. */
const mostColors = 6;

/**
 * Fields for the colours of a chart: of its only series, of each of its values, or of the series in the order of the
 * legend.
 */
export function colorFields(
  item: BoardItem,
  theme: ChartTheme | undefined,
  onChange: ChangeItem,
): TemplateResult | typeof nothing {
  const { type } = item;
  if (!isItemType(type) || withoutSeries.includes(itemTypes[type].kind)) return nothing;
  const { fields } = readItem(item);
  const { measures } = splitFields({ id: "", type, options: {}, fields });
  const colorSlot = colorSlotOf(type);
  const isColored = fields.some(({ slot }) => slot === colorSlot);
  const palette = theme?.series ?? [];
  const usualAt = (at: number) => {
    const { [at % Math.max(1, palette.length)]: usual } = palette;
    return usual === undefined ? {} : { usual };
  };
  if (isColored && formAt(type, "theme.colors")) {
    const colors = listOf(valueAt(item, "theme.colors"));
    const put = (at: number, color: string) => {
      const filled = Array.from({ length: Math.max(colors.length, at + 1) }, (_, index) =>
        index === at ? color : (colors[index] ?? palette[index]),
      );
      onChange(withValueAt(item, "theme.colors", filled), `theme.colors ${at}`);
    };
    const count = Math.min(mostColors, palette.length);
    return html`<fieldset class="item-colors">
      <legend>${words.seriesColors}</legend>
      <div class="series-colors">
        ${Array.from({ length: count }, (_, at) => {
          const color = colors[at] ?? palette[at];
          return html`<input
            type="color"
            aria-label=${words.seriesAt(at + 1)}
            .value=${live(typeof color === "string" ? color : "")}
            @input=${({ target }: Event) => put(at, elementOf(target, HTMLInputElement).value)}
          />`;
        })}
        ${
          colors.length > 0
            ? html`<button
                class="button quiet"
                aria-label=${words.automaticColor(words.seriesColors)}
                @click=${() => onChange(withValueAt(item, "theme.colors", undefined))}
              >
                ${words.reset}
              </button>`
            : nothing
        }
      </div>
    </fieldset>`;
  }
  if (measures.length > 1)
    return html`<fieldset class="item-colors">
      <legend>${words.valueColors}</legend>
      ${measures.map((field, at) =>
        colorField({
          id: `item-color-${at}`,
          label: textOf(field.label) || words.seriesAt(at + 1),
          value: field.color,
          ...usualAt(at),
          onPick: (color) =>
            onChange(withMember(item, fields.indexOf(field), { color }), `color ${at}`),
        }),
      )}
    </fieldset>`;
  return formAt(type, "color")
    ? colorField({
        id: "item-color",
        label: words.color,
        value: valueAt(item, "color"),
        ...usualAt(0),
        onPick: (color) => onChange(withValueAt(item, "color", color), "color"),
      })
    : nothing;
}
