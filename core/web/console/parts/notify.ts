import { html, nothing, render } from "lit";
import { messageOf } from "../api/index.ts";
import { repeat } from "lit/directives/repeat.js";
import { closeIcon } from "./icons.ts";
import { overlayPlace } from "./overlayPlace.ts";
import { words } from "./words.ts";

/** A short message at the bottom of the page. */
export interface Notice {
  readonly text: string;
  /** Whether the notice reports a failure. Failures stay until they are closed. */
  readonly isBad?: boolean;
  /** Undoes the action that the notice reports. Absent: the notice has no button to undo. */
  undo?(): void;
  /** An action that continues what the notice reports. */
  readonly action?: { readonly label: string; run(): void };
  /** A link to the page on which the reader can continue. */
  readonly link?: { readonly href: string; readonly label: string };
}

const staysMs = 6000;
let shown: readonly Notice[] = [];
/** The element that shows the notices, and the place to which it belongs. */
let region: HTMLElement | undefined;

/**
 * Shows a notice at the bottom of the page for six seconds; failures stay until they are closed. A notice replaces the
 * last one, unless that one is a failure with another text.
 */
export function notify(notice: Notice): void {
  const failures = shown.filter(({ isBad, text }) => isBad && text !== notice.text);
  // At most three notices are shown, because more would cover the page.
  shown = [...failures, notice].slice(-3);
  draw();
  if (!notice.isBad) setTimeout(() => close(notice), staysMs);
}

/** Shows a failure as a notice. */
export function notifyFailure(failure: unknown): void {
  notify({ text: messageOf(failure), isBad: true });
}

function close(notice: Notice): void {
  shown = shown.filter((each) => each !== notice);
  draw();
}

function draw(): void {
  const place = overlayPlace();
  if (region?.parentNode !== place) {
    region?.remove();
    region = document.createElement("div");
    region.className = "notices";
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    place.append(region);
  }
  render(
    repeat(
      shown,
      (notice) => notice,
      (notice) =>
        html`<div class="notice ${notice.isBad ? "bad" : ""}">
          <span class="grow">${notice.text}</span>
          ${
            notice.undo
              ? html`<button
                  class="button"
                  @click=${() => {
                    close(notice);
                    notice.undo?.();
                  }}
                >
                  ${words.undo}
                </button>`
              : nothing
          }
          ${
            notice.action
              ? html`<button
                  class="button"
                  @click=${() => {
                    close(notice);
                    notice.action?.run();
                  }}
                >
                  ${notice.action.label}
                </button>`
              : nothing
          }
          ${
            notice.link
              ? html`<a class="button" href=${notice.link.href} @click=${() => close(notice)}
                  >${notice.link.label}</a
                >`
              : nothing
          }
          <button class="button quiet icon" aria-label=${words.close} @click=${() => close(notice)}>
            ${closeIcon}
          </button>
        </div>`,
    ),
    region,
  );
}
