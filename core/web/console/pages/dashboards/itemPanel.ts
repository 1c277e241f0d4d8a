import { html, type TemplateResult } from "lit";
import { objectOf, offeredTypes, readItem } from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import { selectField, textField } from "../../parts/index.ts";
import { formatField, itemTitle } from "../../questions/index.ts";
import { cellLookFields } from "./cellLookFields.ts";
import { positionOf, withTitle, type BoardItem, type Position } from "./contents.ts";
import type { DefaultRange } from "./defaultRange.ts";
import { words } from "./words.ts";

/** Table options that are shown as checkboxes, with the values that they set. Other members of an option are kept. */
const tableOptions = [
  {
    name: "totals",
    label: words.tableTotals,
    isOn: (value: unknown) => value === true,
    on: (isOn: boolean): unknown => isOn,
  },
  {
    name: "pinnedColumns",
    label: words.tablePinned,
    isOn: (value: unknown) => typeof value === "number" && value > 0,
    on: (isOn: boolean): unknown => Number(isOn),
  },
  {
    name: "cells",
    label: words.tableBars,
    isOn: (value: unknown) => objectOf(value)["bars"] === true,
    on: (isOn: boolean, before: unknown): unknown => ({ ...objectOf(before), bars: isOn }),
  },
] as const;

/**
 * Returns the table options for an item type. Pivot tables have no pinned columns, because they are drawn as pictures.
 */
const optionsOf = (type: string): readonly (typeof tableOptions)[number][] =>
  type === "pivot-table"
    ? tableOptions.filter(({ name }) => name !== "pinnedColumns")
    : tableOptions;

export interface ItemPanelOptions {
  readonly item: BoardItem;
  readonly filterCount: number;
  /** The range with which a date filter opens; undefined for other items. */
  readonly defaultRange: DefaultRange | "" | "other" | undefined;
  onDefaultRange(name: string): void;
  onChange(item: BoardItem): void;
  onFilters(): void;
  onRemove(): void;
}

const offered = offeredTypes("dashboards");
const places = ["col", "row", "sizeX", "sizeY"] as const satisfies readonly (keyof Position)[];

/** The panel of the item being edited: title, chart type, filters and position. */
export function itemPanel(options: ItemPanelOptions): TemplateResult {
  const { item, filterCount, onChange, onFilters, onRemove } = options;
  const place = positionOf(item);
  const isChart = offered.some((type) => type === item.type);
  return html`<aside class="item-panel surface" aria-label=${words.item}>
    ${textField({
      id: "item-title",
      label: words.itemTitle,
      value: textOf(item.options?.["title"]),
      hint: words.itemHelp,
      onInput: (title) => onChange(withTitle(item, title)),
    })}
    ${
      isChart
        ? selectField({
            id: "item-type",
            label: words.itemType,
            value: item.type,
            choices: offered.map((type) => ({ value: type, label: itemTitle(type) })),
            onSelect: (type) => onChange({ ...item, type }),
          })
        : html`<p class="muted">${itemTitle(item.type)}</p>`
    }
    ${
      isChart
        ? html`<button class="button" @click=${onFilters}>
            ${words.itemFilters(filterCount)}
          </button>`
        : ""
    }
    ${
      options.defaultRange === undefined
        ? ""
        : selectField({
            id: "item-default",
            label: words.defaultRange,
            value: options.defaultRange,
            choices: [
              { value: "", label: words.allDates },
              ...Object.entries(words.defaultRanges).map(([value, label]) => ({ value, label })),
              ...(options.defaultRange === "other"
                ? [{ value: "other", label: words.otherRange }]
                : []),
            ],
            onSelect: options.onDefaultRange,
          })
    }
    ${isChart ? formatFields(item, onChange) : ""}
    ${
      item.type === "regular-table" || item.type === "pivot-table"
        ? html`<fieldset class="item-table">
            <legend>${words.table}</legend>
            ${optionsOf(item.type).map(
              ({ name, label, on, isOn }) =>
                html`<label>
                  <input
                    type="checkbox"
                    .checked=${isOn(item.options?.[name])}
                    @change=${({ target }: Event) =>
                      onChange({
                        ...item,
                        options: {
                          ...item.options,
                          [name]: on(
                            target instanceof HTMLInputElement && target.checked,
                            item.options?.[name],
                          ),
                        },
                      })}
                  />
                  ${label}
                </label>`,
            )}
          </fieldset>`
        : ""
    }
    ${
      item.type === "regular-table" || item.type === "pivot-table"
        ? cellLookFields(item, onChange)
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

/** Format fields for the numbers of a chart, and for its dates without a level. */
function formatFields(item: BoardItem, onChange: (item: BoardItem) => void): TemplateResult[] {
  const { slots = [] } = item;
  return readItem(item).fields.flatMap(({ type, subtype, label, format, level, bins }, at) => {
    if (type === "hierarchy" || bins !== undefined || (type === "datetime" && level)) return [];
    return formatField({
      id: `item-format-${at}`,
      label: words.formatOf(textOf(label)),
      type,
      subtype,
      value: format ?? "",
      onInput: (text) => onChange({ ...item, slots: withFormat(slots, at, text) }),
    });
  });
}

/** Returns slots with a new format for the field at index `at`, counted over all slots. */
function withFormat(
  slots: NonNullable<BoardItem["slots"]>,
  at: number,
  format: string,
): NonNullable<BoardItem["slots"]> {
  let index = 0;
  return slots.map((slot) => ({
    ...slot,
    content: (slot.content ?? []).map((each) => (index++ === at ? { ...each, format } : each)),
  }));
}
