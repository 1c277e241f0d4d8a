import { html, type TemplateResult } from "lit";
import type { OpenRecord, RecordAction } from "./recordKind.ts";

/** Renders a button or a link for each action on a record. */
export const actionButtons = (
  actions: readonly RecordAction[],
  change: OpenRecord["change"],
): readonly TemplateResult[] =>
  actions.map((action) =>
    "href" in action
      ? html`<a class="button" href=${action.href}>${action.label}</a>`
      : html`<button
          class="button ${action.look ?? ""}"
          @click=${() => void change(() => action.run())}
        >
          ${action.label}
        </button>`,
  );
