import { html, type TemplateResult } from "lit";
import { rowCountText } from "../../../charts/index.ts";
import { readerLocale, writeNumber } from "../../language/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import { words } from "./words.ts";

/** The forms in which the request can be copied, by their own names. */
const requestForms = "JSON · curl · TS";

export interface StatusLineOptions {
  readonly answered: AnsweredItem | undefined;
  readonly isLoading: boolean;
  onRequest(): void;
}

/**
 * Shows the row count, time and source of an answer, whether all parts of the query were pushed down, and how many
 * policy filters applied.
 */
export function statusLine({ answered, isLoading, onRequest }: StatusLineOptions): TemplateResult {
  const { answer } = answered ?? {};
  const { explain, performance: spent } = answer ?? {};
  if (!answered || !answer || !explain || !spent)
    return html`<div class="status" role="status">
      ${isLoading ? html`<span>${words.status.querying}</span>` : ""}
    </div>`;
  const policies = explain.filters.filter(({ origin }) => origin !== "question").length;
  const isExact = explain.steps.every(({ pushed }) => pushed);
  const elapsed =
    spent.validating + spent.preparing + spent.queuing + spent.querying + spent.processing;
  return html`<div class="status" role="status">
    <span
      >${answered.leftOut ? rowCountText(answered, readerLocale) : words.status.rows(answered.rows.length)}</span
    >
    <span>${words.milliseconds(writeNumber(Math.round(elapsed)))}</span>
    <span>${[...new Set(explain.datasets.map(({ plugin }) => plugin))].join(", ")}</span>
    <span>${isExact ? words.status.exact : words.status.partial}</span>
    <span>${words.status.policies(policies)}</span>
    ${answer.cached ? html`<span>${words.status.memory}</span>` : ""}
    <span class="grow"></span>
    <button class="button quiet" @click=${onRequest}>${requestForms}</button>
  </div>`;
}
