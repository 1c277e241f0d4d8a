import { html, nothing, type TemplateResult } from "lit";
import { elementOf } from "../../../parts/index.ts";
import { words } from "./words.ts";

const usual = "#4269d0";

/** Expands `#abc` to `#aabbcc`, as the browser's colour input requires. */
const inFull = (color: string): string =>
  color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, "$&$&") : color;

/** A field for an optional colour. */
export function colorField({
  id,
  value,
  onChange,
}: {
  readonly id: string;
  readonly value: string | null;
  onChange(color: string | null): void;
}): TemplateResult {
  return html`<div class="row">
    <label class="check"
      ><input
        type="checkbox"
        id=${id}
        .checked=${value !== null}
        @change=${(event: Event) =>
          onChange(elementOf(event.target, HTMLInputElement).checked ? usual : null)}
      />${words.ownColor}</label
    >
    ${
      value === null
        ? nothing
        : html`<input
            type="color"
            aria-label=${words.color}
            .value=${inFull(value)}
            @input=${(event: Event) => onChange(elementOf(event.target, HTMLInputElement).value)}
          />`
    }
  </div>`;
}
