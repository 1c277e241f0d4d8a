import { html, nothing, type TemplateResult } from "lit";
import type { Found } from "../api/index.ts";
import {
  elementOf,
  openDialog,
  type OpenDialog,
  errorState,
  loadingState,
  rootOf,
} from "../parts/index.ts";

export interface PickOptions<Row> {
  readonly title: string;
  /** Label of the search box. */
  readonly label: string;
  /** The text that is shown if the search finds nothing. */
  readonly none: string;
  read(search: string): Promise<Found<Row>>;
  nameOf(row: Row): string;
  /** Returns a note that distinguishes records with the same name. */
  noteOf?(row: Row): string;
  /** Renders choices above the search box, such as the right to grant. */
  readonly choices?: (dialog: OpenDialog<Row>) => TemplateResult;
}

/**
 * Lets the reader choose one record. The host searches as the reader types. Arrow keys move between results, and Enter
 * chooses a result. Undefined if the reader closes the dialog.
 */
export async function pickRecord<Row>(options: PickOptions<Row>): Promise<Row | undefined> {
  const { title, label, none, read, nameOf, noteOf, choices } = options;
  let found: Found<Row> | undefined;
  let failure: unknown;
  let searchCount = 0;
  const search = async (text: string, dialog: OpenDialog<Row>) => {
    const own = ++searchCount;
    try {
      const came = await read(text);
      if (own !== searchCount) return;
      [found, failure] = [came, undefined];
    } catch (reason) {
      if (own !== searchCount) return;
      failure = reason;
    }
    dialog.redraw();
  };
  const rowsOf = (dialog: OpenDialog<Row>) => {
    if (failure !== undefined) return errorState(failure);
    if (!found) return loadingState(3);
    if (found.rows.length === 0) return html`<p class="muted">${none}</p>`;
    return html`<div class="pick-list" role="group" aria-label=${title} @keydown=${moveWithin}>
      ${found.rows.map(
        (row) =>
          html`<button class="pick" @click=${() => dialog.close(row)}>
            <span class="grow truncate">${nameOf(row)}</span>
            ${noteOf ? html`<span class="muted small truncate">${noteOf(row)}</span>` : nothing}
          </button>`,
      )}
    </div>`;
  };
  let isBegun = false;
  return openDialog<Row>({
    title,
    body(dialog) {
      if (!isBegun) {
        isBegun = true;
        void search("", dialog);
      }
      return html`${choices?.(dialog) ?? nothing}
        <input
          class="input"
          type="search"
          aria-label=${label}
          placeholder=${label}
          @input=${(event: Event) =>
            void search(elementOf(event.target, HTMLInputElement).value, dialog)}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            elementOf(event.target, HTMLElement)
              .closest("dialog")
              ?.querySelector<HTMLElement>(".pick")
              ?.focus();
          }}
        />
        <div class="pick-found" aria-live="polite">${rowsOf(dialog)}</div>`;
    },
  });
}

function moveWithin(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const list = elementOf(event.currentTarget, HTMLElement);
  const rows = [...list.querySelectorAll<HTMLElement>(".pick")];
  const at = rows.findIndex((each) => each === rootOf(list).activeElement);
  rows.at((at + step) % rows.length)?.focus();
}
