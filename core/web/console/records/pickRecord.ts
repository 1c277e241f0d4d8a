import { html, nothing, type TemplateResult } from "lit";
import type { Found } from "../api/index.ts";
import {
  elementOf,
  openDialog,
  type OpenDialog,
  errorState,
  loadingState,
} from "../parts/index.ts";

export interface PickOptions<Row> {
  readonly title: string;
  /** Names the search. */
  readonly label: string;
  /** Shown when nothing is found. */
  readonly none: string;
  read(search: string): Promise<Found<Row>>;
  nameOf(row: Row): string;
  /** A second text, by which records of one name differ. */
  noteOf?(row: Row): string;
  /** Choices above the search, such as the right that is given. */
  readonly choices?: (dialog: OpenDialog<Row>) => TemplateResult;
}

/**
 * Asks for one record, which the host searches as the reader types. Arrows move between what is found, Enter picks.
 * Returns undefined when the reader closes the dialog.
 */
export async function pickRecord<Row>(options: PickOptions<Row>): Promise<Row | undefined> {
  const { title, label, none, read, nameOf, noteOf, choices } = options;
  let found: Found<Row> | undefined;
  let failure: unknown;
  let asked = 0;
  const search = async (text: string, dialog: OpenDialog<Row>) => {
    const own = ++asked;
    try {
      const came = await read(text);
      if (own !== asked) return;
      [found, failure] = [came, undefined];
    } catch (reason) {
      if (own !== asked) return;
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
  const rows = [
    ...elementOf(event.currentTarget, HTMLElement).querySelectorAll<HTMLElement>(".pick"),
  ];
  const at = rows.findIndex((each) => each === document.activeElement);
  rows.at((at + step) % rows.length)?.focus();
}
