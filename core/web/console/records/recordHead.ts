import { html, nothing, type TemplateResult } from "lit";
import { backIcon } from "../parts/index.ts";

/** The head of a record's page: a link back to the list, the name, a note, and the actions. */
export const recordHead = ({
  path,
  back,
  title,
  note = nothing,
  actions = [],
}: {
  readonly path: string;
  readonly back: string;
  readonly title: TemplateResult | string;
  readonly note?: TemplateResult | string | typeof nothing;
  readonly actions?: readonly TemplateResult[] | TemplateResult;
}): TemplateResult =>
  html`<header class="page-head">
    <div>
      <a class="back" href=${path}>${backIcon}${back}</a>
      <h1 class="wrap">${title}</h1>
      ${note === nothing ? nothing : html`<p class="wrap">${note}</p>`}
    </div>
    ${actions}
  </header>`;
