import { html, type TemplateResult } from "lit";
import { emptyState } from "../../parts/index.ts";
import { words } from "./words.ts";

/** Renders a dashboard without items, with a button for its first chart if the reader may add one. */
export function emptyBoard(onAddChart: (() => void) | undefined): TemplateResult {
  return emptyState({
    title: words.empty,
    text: words.emptyText,
    ...(onAddChart && {
      action: html`<button class="button primary" @click=${onAddChart}>${words.addChart}</button>`,
    }),
  });
}
