import { html, nothing, type TemplateResult } from "lit";

/** The label, hint and error message of a form field. */
export interface FieldOptions {
  /** Id of the control, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Error message about the value, shown below the control. */
  readonly wrong?: string | undefined;
}

/** Attributes that connect a control to its label, hint and error. */
export interface ControlOptions {
  readonly id: string;
  readonly invalid: "true" | "false";
  /** Ids of the elements that describe the control, for `aria-describedby`. */
  readonly describedBy: string;
}

/** A control with its label, hint and error. `control` must return an input with the class `input`. */
export function field(
  { id, label, hint, wrong }: FieldOptions,
  control: (options: ControlOptions) => TemplateResult,
): TemplateResult {
  const describedBy = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control({ id, invalid: wrong ? "true" : "false", describedBy })}
    ${hint ? html`<span class="hint" id="${id}-hint">${hint}</span>` : nothing}
    ${wrong ? html`<span class="wrong" id="${id}-wrong" role="alert">${wrong}</span>` : nothing}
  </div>`;
}
