import { html, type TemplateResult } from "lit";
import { elementOf } from "../../parts/index.ts";

/** A checkbox with its label. */
export const checkbox = (
  label: string,
  isChecked: boolean,
  onToggle: (isChecked: boolean) => void,
): TemplateResult =>
  html`<label class="check">
    <input
      type="checkbox"
      .checked=${isChecked}
      @change=${(event: Event) => onToggle(elementOf(event.target, HTMLInputElement).checked)}
    />
    ${label}
  </label>`;
