import { html, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { live } from "lit/directives/live.js";
import { field, type FieldOptions } from "./field.ts";
import { elementOf } from "./elementOf.ts";

export interface TextFieldOptions extends FieldOptions {
  readonly value: string;
  /**
   * Type of the input.
   * @default "text"
   */
  readonly type?: "text" | "password" | "email" | "number" | "search" | "url";
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  onInput(value: string): void;
}

/** A field for one line of text, with its label. */
export function textField(options: TextFieldOptions): TemplateResult {
  const { value, type = "text", autocomplete, placeholder, isRequired = false, onInput } = options;
  return field(
    options,
    ({ id, invalid, describedBy }) =>
      html`<input
        class="input"
        id=${id}
        type=${type}
        .value=${live(value)}
        ?required=${isRequired}
        autocomplete=${ifDefined(autocomplete)}
        placeholder=${ifDefined(placeholder)}
        aria-invalid=${invalid}
        aria-describedby=${ifDefined(describedBy || undefined)}
        @input=${(event: Event) => onInput(elementOf(event.target, HTMLInputElement).value)}
      />`,
  );
}
