import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { isItemType, type ItemType } from "../../../charts/index.ts";
import { elementOf, selectField, textField } from "../../parts/index.ts";
import type { BoardItem } from "./contents.ts";
import { lookOptions, type LookOption } from "./lookOptions.ts";
import { formAt, valueAt, withValueAt } from "./optionPath.ts";
import { lookWords as words } from "./lookWords.ts";

/** Called with the changed item, and with the step to which the change belongs. */
export type ChangeItem = (item: BoardItem, step?: string) => void;

/** Fields for the options that the charts of an item's type read. `ground` is the background of items without one. */
export function lookFields(
  item: BoardItem,
  ground: string | undefined,
  onChange: ChangeItem,
): TemplateResult[] {
  const { type } = item;
  if (!isItemType(type)) return [];
  return lookOptions.flatMap((option) => {
    const shown = lookField({ item, type, ground }, option, onChange);
    return shown ? [shown] : [];
  });
}

function lookField(
  {
    item,
    type,
    ground,
  }: { readonly item: BoardItem; readonly type: ItemType; readonly ground: string | undefined },
  option: LookOption,
  onChange: ChangeItem,
): TemplateResult | undefined {
  const { path } = option;
  const form = formAt(type, path);
  if (!form || ("types" in option && option.types?.includes(type) === false)) return undefined;
  const label = words.names[path] ?? path;
  const id = `item-look-${path.replaceAll(".", "-")}`;
  const value = valueAt(item, path);
  const set = (next: unknown, step?: string) => onChange(withValueAt(item, path, next), step);
  const { as } = option;
  switch (as) {
    case "flag": {
      // A slicer offers several values unless its author says otherwise, and a menu a single one.
      const isUsuallyOn =
        path === "multiselect"
          ? type === "slicer-filter"
          : "isUsuallyOn" in option && option.isUsuallyOn;
      const isOn = typeof value === "boolean" ? value : isUsuallyOn;
      return flagField(label, isOn, (next) => set(next === isUsuallyOn ? undefined : next));
    }
    case "choice": {
      if (!("enum" in form)) return undefined;
      const stored = form.enum.find((each) => each === value);
      return selectField({
        id,
        label,
        value: stored === undefined ? "" : String(stored),
        choices: [
          { value: "", label: words.automatic },
          ...form.enum.map((each) => ({
            value: String(each),
            label: words.choices[`${path} ${each}`] ?? words.values[String(each)] ?? String(each),
          })),
        ],
        onSelect: (chosen) => set(form.enum.find((each) => String(each) === chosen)),
      });
    }
    case "number":
      return textField({
        id,
        label,
        type: "number",
        placeholder: words.automatic,
        value: typeof value === "number" ? String(value) : "",
        onInput: (text) => {
          const next = Number(text);
          if (text.trim() === "") set(undefined, path);
          else if (Number.isFinite(next) && next >= 0) set(next, path);
        },
      });
    case "color":
      return colorField({
        id,
        label,
        value,
        ...(ground !== undefined && { usual: ground }),
        onPick: (next) => set(next, path),
      });
    default:
      return as satisfies never;
  }
}

/** A checkbox with its label. */
export function flagField(
  label: string,
  isOn: boolean,
  onChange: (isOn: boolean) => void,
): TemplateResult {
  return html`<label class="flag">
    <input
      type="checkbox"
      .checked=${live(isOn)}
      @change=${({ target }: Event) => onChange(elementOf(target, HTMLInputElement).checked)}
    />
    ${label}
  </label>`;
}

export interface ColorFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  /** The colour that the picker shows while none is chosen. */
  readonly usual?: string;
  /** Called with a colour such as `#1a2b3c`; undefined for the automatic colour. */
  onPick(color: string | undefined): void;
}

/** A field for a colour, with a button that returns to the automatic one. */
export function colorField({
  id,
  label,
  value,
  usual = "#888888",
  onPick,
}: ColorFieldOptions): TemplateResult {
  const isChosen = typeof value === "string" && /^#[\da-f]{6}$/i.test(value);
  return html`<div class="color-field">
    <label for=${id}>${label}</label>
    <input
      type="color"
      id=${id}
      .value=${live(isChosen ? value : usual)}
      @input=${({ target }: Event) => onPick(elementOf(target, HTMLInputElement).value)}
    />
    ${
      value === undefined
        ? html`<span class="muted small">${words.automatic}</span>`
        : html`<button
            class="button quiet"
            aria-label=${words.automaticColor(label)}
            @click=${() => onPick(undefined)}
          >
            ${words.reset}
          </button>`
    }
  </div>`;
}
