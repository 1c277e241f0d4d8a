import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { readColumns, readItem, type ChartColumn } from "../../../charts/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { closeIcon, elementOf, selectField } from "../../parts/index.ts";
import { readLook, withLook, type CellLook } from "./cellLooks.ts";
import type { BoardItem } from "./contents.ts";
import { words } from "./words.ts";

/** Colours of the first rule of a column, and of the rule for values below all others. */
const firstColor = "#f6d58a";
const isRanged = (mode: string): boolean => mode.startsWith("conditional");

/** Fields for the cell colours of a table: a look for each column, and rules for numbers. */
export function cellLookFields(
  item: BoardItem,
  onChange: (item: BoardItem) => void,
): TemplateResult {
  const { fields } = readItem(item);
  const columns = readColumns({ fields, localeId: readerLocale, timezoneId: readerZone });
  return html`<fieldset class="item-table">
    <legend>${words.cellLooks}</legend>
    ${columns.map((column, at) => {
      const look = readLook(item, column.field);
      const set = (next: CellLook) => onChange(withLook(item, column.field, next));
      const choices = Object.entries(column.isNumeric ? words.numberLooks : words.valueLooks);
      return html`${selectField({
        id: `item-look-${at}`,
        label: column.name,
        value: look.mode,
        choices: choices.map(([value, label]) => ({ value, label })),
        onSelect: (mode) => set({ mode, rules: isRanged(mode) ? firstRules(look) : look.rules }),
      })}
      ${isRanged(look.mode) && column.isNumeric ? ruleFields(column, look, set) : nothing}`;
    })}
  </fieldset>`;
}

const firstRules = ({ rules }: CellLook): CellLook["rules"] =>
  rules.length > 0 ? rules : [{ val: 0, color: firstColor }];

/** Fields for the rules of a column. Each rule colours numbers from its value up to the next rule's value. */
function ruleFields(
  { name }: ChartColumn,
  look: CellLook,
  set: (look: CellLook) => void,
): TemplateResult {
  const { mode, rules } = look;
  const change = (at: number, members: Readonly<Record<string, unknown>>) =>
    set({
      mode,
      rules: rules.map((rule, index) => (index === at ? { ...rule, ...members } : rule)),
    });
  return html`<div class="cell-rules" role="group" aria-label=${words.rulesOf(name)}>
    ${rules.map((rule, at) => {
      const isLowest = rule["isNegativeInfinityRange"] === true;
      const named = (label: string) => words.ofRule(label, at + 1);
      return html`<div class="cell-rule">
        <select
          class="input"
          aria-label=${named(words.comparison)}
          @change=${(event: Event) => {
            const isLow = elementOf(event.target, HTMLSelectElement).value === "lowest";
            change(at, { isNegativeInfinityRange: isLow });
          }}
        >
          <option value="from" ?selected=${!isLowest}>${words.atLeast}</option>
          <option value="lowest" ?selected=${isLowest}>${words.belowOthers}</option>
        </select>
        <input
          class="input"
          type="number"
          step="any"
          aria-label=${named(words.ruleValue)}
          ?disabled=${isLowest}
          .value=${live(isLowest ? "" : String(rule["val"] ?? ""))}
          @change=${(event: Event) => {
            const { value, valueAsNumber: val } = elementOf(event.target, HTMLInputElement);
            if (value !== "" && Number.isFinite(val)) change(at, { val });
          }}
        />
        <input
          type="color"
          aria-label=${named(words.ruleColor)}
          .value=${live(pickedColor(rule["color"]))}
          @change=${(event: Event) =>
            change(at, { color: elementOf(event.target, HTMLInputElement).value })}
        />
        <button
          class="button quiet icon"
          aria-label=${named(words.removeRule)}
          @click=${() => set({ mode, rules: rules.filter((_, index) => index !== at) })}
        >
          ${closeIcon}
        </button>
      </div>`;
    })}
    <button
      class="button"
      aria-label="${words.addRule}: ${name}"
      @click=${() => set({ mode, rules: [...rules, nextRule(rules)] })}
    >
      ${words.addRule}
    </button>
  </div>`;
}

/** Returns the colour with six digits, as the browser's colour input requires. */
function pickedColor(color: unknown): string {
  if (typeof color !== "string" || !/^#([\da-f]{3}|[\da-f]{6})$/i.test(color)) return firstColor;
  return color.length === 4 ? color.replaceAll(/[\da-f]/gi, "$&$&") : color;
}

/** Returns a new rule whose value is above the values of the present rules. */
function nextRule(rules: CellLook["rules"]): Readonly<Record<string, unknown>> {
  const values = rules.map(({ val }) => val).filter((val) => typeof val === "number");
  return { val: values.length > 0 ? Math.max(...values) + 1 : 0, color: firstColor };
}
