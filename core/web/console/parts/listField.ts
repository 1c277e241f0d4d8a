import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { elementOf } from "./elementOf.ts";
import { field, type FieldOptions } from "./field.ts";

export interface ListFieldOptions extends FieldOptions {
  /** The entries, one per line. */
  readonly value: string;
  onInput(value: string): void;
}

/** A field for a list of strings, one per line, with its label. */
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

/** Returns the entries of a list field. Commas and line breaks separate entries; empty entries are skipped. */
export function entriesOf(text: string): readonly string[] {
  return text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
}
