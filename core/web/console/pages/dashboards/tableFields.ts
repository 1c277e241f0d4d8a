import { html, type TemplateResult } from "lit";
import { objectOf } from "../../../charts/index.ts";
import type { BoardItem } from "./contents.ts";
import { flagField, type ChangeItem } from "./lookFields.ts";
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

/** Fields for what only tables have. */
export function tableFields(item: BoardItem, onChange: ChangeItem): TemplateResult {
  return html`<fieldset class="item-table">
    <legend>${words.table}</legend>
    ${optionsOf(item.type).map(({ name, label, on, isOn }) =>
      flagField(label, isOn(item.options?.[name]), (next) =>
        onChange({
          ...item,
          options: { ...item.options, [name]: on(next, item.options?.[name]) },
        }),
      ),
    )}
  </fieldset>`;
}
