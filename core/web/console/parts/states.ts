import { html, nothing, type TemplateResult } from "lit";
import { messageOf, ApiFailure } from "../api/index.ts";
import { copyText } from "./copyText.ts";
import { words } from "./words.ts";

export interface EmptyOptions {
  readonly title: string;
  readonly text?: string | undefined;
  /** One action, as a button or as a link with the class `button`. */
  readonly action?: TemplateResult | undefined;
}

/** A placeholder for data that does not exist yet. It explains which data will appear, and offers one action. */
export const emptyState = ({ title, text, action }: EmptyOptions): TemplateResult =>
  html`<div class="state">
    <h2>${title}</h2>
    ${text ? html`<p>${text}</p>` : nothing}
    ${action ? html`<div class="row">${action}</div>` : nothing}
  </div>`;

/** A placeholder in the shape of the content, shown after 150 ms. */
export const loadingState = (lines = 6): TemplateResult =>
  html`<div class="skeleton" role="status">
    <span class="visually-hidden">${words.loading}</span>
    ${Array.from({ length: lines }, () => html`<i></i>`)}
  </div>`;

/** Shows a failure: the reason, a button to try again, and the request ID for copying. */
export function errorState(failure: unknown, tryAgain?: () => void): TemplateResult {
  const { status, requestId } = failure instanceof ApiFailure ? failure : { status: 0 };
  const isForbidden = status === 403;
  const message = messageOf(failure);
  return html`<div class="failure" role="alert">
    <h3>${isForbidden ? words.noRights : words.failed}</h3>
    <p>${message}</p>
    ${isForbidden ? html`<p class="muted">${words.noRightsText}</p>` : nothing}
    <div class="row">
      ${
        tryAgain && !isForbidden
          ? html`<button class="button" @click=${tryAgain}>${words.tryAgain}</button>`
          : nothing
      }
      ${
        requestId
          ? html`<button class="button quiet" @click=${() => copyText(requestId)}>
              ${words.copyRequestId}
            </button>`
          : nothing
      }
    </div>
  </div>`;
}
