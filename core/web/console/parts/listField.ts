import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { elementOf } from "./elementOf.ts";
import { field, type FieldOptions } from "./field.ts";

export interface ListFieldOptions extends FieldOptions {
  /** One entry a line. */
  readonly value: string;
  onInput(value: string): void;
}

/** A list of texts with its label: one entry a line. */
export function listField(options: ListFieldOptions): TemplateResult {
  const { value, onInput } = options;
  return field(
    options,
    ({ id, invalid, describedBy }) =>
      html`<textarea
        class="input key-text"
        id=${id}
        rows="3"
        spellcheck="false"
        .value=${live(value)}
        aria-invalid=${invalid}
        aria-describedby=${ifDefined(describedBy || undefined)}
        @input=${(event: Event) => onInput(elementOf(event.target, HTMLTextAreaElement).value)}
      ></textarea>`,
  );
}

/** Returns the entries of a list field; commas separate them as lines do, and empty ones are left out. */
export function entriesOf(text: string): readonly string[] {
  return text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
}
