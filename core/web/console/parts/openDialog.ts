import { html, nothing, render, type TemplateResult } from "lit";
import { closeIcon } from "./icons.ts";
import { overlayPlace } from "./overlayPlace.ts";
import { words } from "./words.ts";

/** The title, content and buttons of a dialog. */
export interface DialogOptions<Result> {
  readonly title: string;
  readonly isWide?: boolean;
  /** Returns the content; called again by `redraw`. */
  body(dialog: OpenDialog<Result>): TemplateResult;
  /** Returns the buttons at the bottom, with the main button last. */
  foot?(dialog: OpenDialog<Result>): TemplateResult;
}

/** An open dialog. Its content closes or redraws it through this object. */
export interface OpenDialog<Result> {
  close(result?: Result): void;
  /** Renders body and buttons again after a change. */
  redraw(): void;
}

/** Number of dialogs opened so far. Several may be open, so each title needs its own id. */
let opened = 0;

/**
 * Opens a dialog over the page. Returns its result; undefined if the reader closes it, presses Escape or goes back to
 * another page.
 */
export function openDialog<Result = void>({
  title,
  isWide = false,
  body,
  foot,
}: DialogOptions<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const element = document.createElement("dialog");
    element.className = isWide ? "dialog wide" : "dialog";
    const titleId = `dialog-title-${++opened}`;
    element.setAttribute("aria-labelledby", titleId);
    let result: Result | undefined;
    const dialog: OpenDialog<Result> = {
      close(given) {
        result = given;
        element.close();
        end();
      },
      redraw: () => draw(),
    };
    const draw = () =>
      render(
        html`<div class="dialog-head">
            <h2 class="grow" id=${titleId}>${title}</h2>
            <button
              class="button quiet icon"
              aria-label=${words.close}
              @click=${() => dialog.close()}
            >
              ${closeIcon}
            </button>
          </div>
          <div class="dialog-body">${body(dialog)}</div>
          ${foot ? html`<div class="dialog-foot">${foot(dialog)}</div>` : nothing}`,
        element,
      );
    // The close event fires in a later task. Buttons do not wait for it, because the reader may navigate back before it
    // fires.
    const end = () => {
      window.removeEventListener("popstate", leave);
      element.remove();
      resolve(result);
    };
    const leave = () => dialog.close();
    element.addEventListener("close", end);
    window.addEventListener("popstate", leave);
    draw();
    overlayPlace().append(element);
    element.showModal();
    element
      .querySelector<HTMLElement>(".dialog-body :is(input, select, textarea, button, a[href])")
      ?.focus();
  });
}
