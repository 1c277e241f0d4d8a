import { html, LitElement, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { textOf, writeNumber } from "../language/index.ts";
import type { Api } from "../api/index.ts";
import { barsIcon, define, elementOf, moreIcon, openMenu, rootOf } from "../parts/index.ts";
import {
  kinds,
  nameOf,
  signOf,
  type ExploredColumn,
  shelves,
  type Filter,
  type Shelf,
} from "../questions/index.ts";
import { ColumnPanel } from "./columnPanel.ts";
import { dragColumn } from "./dragColumn.ts";
import { words } from "./words.ts";

/** Maximum number of columns shown per kind. Readers search in wider datasets. */
const mostShown = 100;

/**
 * The columns of a dataset by kind, with search. Clicking a column adds it to its usual shelf. Its menu adds it to
 * a chosen shelf, and columns can also be dragged to a shelf. A second button shows the distribution of a column.
 */
export class ColumnList extends LitElement {
  static override properties = {
    columns: { attribute: false },
    search: { state: true },
    shown: { state: true },
  };
  declare columns: readonly ExploredColumn[];
  declare onAdd: (id: string, shelf?: Shelf) => void;
  /** Called when the reader chooses values of a column. Absent: columns show no distribution. */
  declare onFilter: ((filter: Filter) => void) | undefined;
  declare api: Api;
  declare datasetId: string;
  /** Id of the column whose distribution is shown. */
  declare private shown: string | undefined;
  declare private search: string;

  constructor() {
    super();
    this.search = "";
    define("console-column-panel", ColumnPanel);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private openShelves(event: MouseEvent, id: string, name: string): void {
    event.preventDefault();
    const button = elementOf(event.currentTarget, HTMLElement);
    const open = () =>
      openMenu(
        button,
        words.addTo(name),
        shelves.map((shelf) => ({
          label: words.shelves[shelf],
          run: () => this.onAdd(id, shelf),
        })),
      );
    // A menu that opens while a mouse button is pressed would close when the button is released.
    if (event.buttons === 0) open();
    else window.addEventListener("pointerup", () => setTimeout(open), { once: true });
  }

  /** Moves between columns with the arrow keys. */
  private move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const all = [...this.querySelectorAll<HTMLElement>("button.column")];
    const at = all.findIndex((each) => each === rootOf(this).activeElement);
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  }

  protected override render(): TemplateResult {
    const needle = this.search.trim().toLocaleLowerCase();
    const found = this.columns.filter((column) =>
      nameOf(column).toLocaleLowerCase().includes(needle),
    );
    return html`<input
        class="input"
        type="search"
        aria-label=${words.searchColumns}
        placeholder=${words.searchColumns}
        @input=${(event: Event) => {
          this.search = elementOf(event.target, HTMLInputElement).value;
        }}
      />
      <div class="column-kinds" @keydown=${(event: KeyboardEvent) => this.move(event)}>
        ${kinds.map((kind) => {
          const of = found.filter(({ type }) => type === kind);
          const isCounted =
            kind === "numeric" && words.countRows.toLocaleLowerCase().includes(needle);
          return of.length === 0 && !isCounted
            ? ""
            : html`<section aria-label=${words.kinds[kind]}>
                <h2>${words.kinds[kind]}</h2>
                ${
                  isCounted
                    ? html`<button class="column" @click=${() => this.onAdd("*", "measures")}>
                        <span class="sign" aria-hidden="true">#</span>
                        <span class="truncate grow">${words.countRows}</span>
                      </button>`
                    : ""
                }
                ${repeat(
                  of.slice(0, mostShown),
                  ({ id }) => id,
                  (column) => this.renderColumn(column),
                )}
                ${
                  of.length > mostShown
                    ? html`<p class="muted small">
                        ${words.moreColumns(writeNumber(of.length - mostShown))}
                      </p>`
                    : ""
                }
              </section>`;
        })}
      </div>`;
  }

  private renderColumn(column: ExploredColumn): TemplateResult {
    const { id, type } = column;
    const name = nameOf(column);
    const described = textOf(column.description);
    const isShown = this.shown === id;
    return html`<div class="column-row">
        <button
          class="column"
          title=${described ? words.described(name, described) : name}
          @click=${() => this.onAdd(id)}
          @contextmenu=${(event: MouseEvent) => this.openShelves(event, id, name)}
          @pointerdown=${(event: PointerEvent) => dragColumn(event, { id, label: name })}
        >
          <span class="sign" aria-hidden="true">${signOf[type]}</span>
          <span class="truncate grow">${name}</span>
        </button>
        ${
          this.onFilter
            ? html`<button
                class="column-about"
                aria-label=${words.about(name)}
                aria-expanded=${isShown}
                @click=${() => (this.shown = isShown ? undefined : id)}
              >
                ${barsIcon}
              </button>`
            : ""
        }
        <button
          class="column-about"
          aria-haspopup="menu"
          aria-label=${words.addTo(name)}
          @click=${(event: MouseEvent) => this.openShelves(event, id, name)}
        >
          ${moreIcon}
        </button>
      </div>
      ${
        isShown
          ? html`<console-column-panel
              .api=${this.api}
              .datasetId=${this.datasetId}
              .column=${column}
              .onFilter=${(filter: Filter) => this.onFilter?.(filter)}
            ></console-column-panel>`
          : ""
      }`;
  }
}
