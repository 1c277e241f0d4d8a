import { html, type TemplateResult } from "lit";
import { emptyState } from "../../parts/index.ts";
import { datasetIdsOf, type Contents } from "./contents.ts";
import { words } from "./words.ts";

/**
 * Returns the address at which a chart for a dashboard is created. If the dashboard uses only one dataset, the address
 * includes it.
 */
export function chartAddress(dashboardId: string, contents: Contents): string {
  const [id, other] = datasetIdsOf(contents);
  const path = id !== undefined && other === undefined ? `/explore/${id}` : "/explore";
  return `${path}?dashboard=${dashboardId}`;
}

/** Renders a dashboard without items, with a link to create its first chart. */
export function emptyBoard(dashboardId: string, contents: Contents): TemplateResult {
  return emptyState({
    title: words.empty,
    text: words.emptyText,
    action: html`<a class="button primary" href=${chartAddress(dashboardId, contents)}
      >${words.addChart}</a
    >`,
  });
}
