import { html, nothing, type TemplateResult } from "lit";

export interface FieldOptions {
  /** Unique on the page: the id of the control. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The mistake in the value. */
  readonly wrong?: string | undefined;
}

/** The attributes that tie a control to its label, hint and refusal. */
export interface ControlOptions {
  readonly id: string;
  readonly invalid: "true" | "false";
  /** Ids of the texts that describe the control; spread as `aria-describedby`. */
  readonly describedBy: string;
}

/** A control with its label, its hint and what is wrong with it. `control` makes an input of class `input`. */
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
