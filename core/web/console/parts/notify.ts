import { html, nothing, render } from "lit";
import { messageOf } from "../api/index.ts";
import { repeat } from "lit/directives/repeat.js";
import { closeIcon } from "./icons.ts";
import { words } from "./words.ts";

export interface Notice {
  readonly text: string;
  /** Something failed: it stays until it is closed. */
  readonly isBad?: boolean;
  /** Takes back what was done. */
  undo?(): void;
  /** A page to go on with. */
  readonly link?: { readonly href: string; readonly label: string };
}

const staysMs = 6000;
let shown: readonly Notice[] = [];
let region: HTMLElement | undefined;

/** Says something at the lower edge, for six seconds; failures until they are closed. */
export function notify(notice: Notice): void {
  // Only the last three: more would cover the page.
  shown = [...shown, notice].slice(-3);
  draw();
  if (!notice.isBad) setTimeout(() => close(notice), staysMs);
}

/** Says what failed. */
export function notifyFailure(failure: unknown): void {
  notify({ text: messageOf(failure), isBad: true });
}

function close(notice: Notice): void {
  shown = shown.filter((each) => each !== notice);
  draw();
}

function draw(): void {
  if (!region) {
    region = document.createElement("div");
    region.className = "notices";
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    document.body.append(region);
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
