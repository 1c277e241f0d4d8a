import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { field, type FieldOptions } from "./field.ts";
import { elementOf } from "./elementOf.ts";

export interface SelectFieldOptions extends FieldOptions {
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  onSelect(value: string): void;
}

/** Converts a table of labels by value to the choices of a select field. */
export const choicesOf = (table: Readonly<Record<string, string>>): SelectFieldOptions["choices"] =>
  Object.entries(table).map(([value, label]) => ({ value, label }));

/** A select field with its label, for a few choices. */
export function selectField(options: SelectFieldOptions): TemplateResult {
  const { value, choices, onSelect } = options;
  return field(
    options,
    ({ id, invalid, describedBy }) =>
      html`<select
        class="input"
        id=${id}
        aria-invalid=${invalid}
        aria-describedby=${ifDefined(describedBy || undefined)}
        @change=${(event: Event) => onSelect(elementOf(event.target, HTMLSelectElement).value)}
      >
        ${choices.map(
          (each) =>
            html`<option value=${each.value} ?selected=${each.value === value}>
              ${each.label}
            </option>`,
        )}
      </select>`,
  );
}
