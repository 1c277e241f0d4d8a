import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";

/** A column of a table: its heading, its width, and how a row's cell is rendered. */
export interface TableColumn<Row> {
  readonly label: string;
  /** A track of a CSS grid, such as `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  cell(row: Row, index: number): TemplateResult | string;
}

/** Maximum width of a column on phones, so that the next column is visible too. */
const mostNarrowPx = 152;

/** Returns the track for phones, where columns share the width equally. */
const narrowTrack = (width: string): string =>
  width.replace(
    /^minmax\((\d+)px, [\d.]+fr\)$/,
    (_, least: string) => `minmax(${Math.min(Number(least), mostNarrowPx)}px, 1fr)`,
  );

const rowHeight = 36;
/** Number of rows drawn above and below the visible rows. */
const margin = 8;

/**
 * A table that renders only visible rows. Arrow keys move between rows, and Enter opens the current row. Rows are 36
 * pixels high. Properties: `columns`, `rows`, `label`, `onOpen`, and `height` for the maximum height in pixels.
 */
export class ConsoleTable<Row = unknown> extends LitElement {
  static override properties = {
    columns: { attribute: false },
    rows: { attribute: false },
    label: { attribute: false },
    height: { attribute: false },
    current: { state: true },
    scrolled: { state: true },
  };
  declare columns: readonly TableColumn<Row>[];
  declare rows: readonly Row[];
  declare label: string;
  declare height: number;
  /** Called when the reader opens a row. */
  declare onOpen: ((row: Row) => void) | undefined;
  /** Called when the last rows become visible, to load more. */
  declare onEnd: (() => void) | undefined;
  declare private current: number;
  declare private scrolled: number;

  constructor() {
    super();
    this.columns = [];
    this.rows = [];
    this.label = "";
    this.height = 560;
    this.current = 0;
    this.scrolled = 0;
    this.addEventListener("scroll", () => {
      this.scrolled = this.scrollTop;
    });
    this.addEventListener("keydown", (event) => this.move(event));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.role = "grid";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("rows"))
      this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    this.classList.toggle("opens", this.onOpen !== undefined);
    this.ariaLabel = this.label;
    this.ariaRowCount = String(this.rows.length + 1);
    this.style.setProperty("--table-height", `${this.height}px`);
    const tracks = this.columns.map(({ width }) => width);
    this.style.setProperty("--columns", tracks.join(" "));
    this.style.setProperty("--columns-narrow", tracks.map(narrowTrack).join(" "));
  }

  protected override updated(): void {
    const last = Math.ceil((this.scrolled + this.height) / rowHeight);
    if (last >= this.rows.length) this.onEnd?.();
  }

  private move(event: KeyboardEvent): void {
    if (event.target !== this) return;
    const page = Math.max(1, Math.floor(this.clientHeight / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    const row = this.rows[this.current];
    if (event.key === "Enter" && row !== undefined && this.onOpen) {
      // Otherwise the key press would reach the first field of the opened dialog and submit its form.
      event.preventDefault();
      this.onOpen(row);
    }
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.current = Math.max(0, Math.min(this.rows.length - 1, this.current + step));
    const top = this.current * rowHeight;
    if (top < this.scrollTop) this.scrollTop = top;
    const bottom = top + 2 * rowHeight;
    if (bottom > this.scrollTop + this.clientHeight) this.scrollTop = bottom - this.clientHeight;
  }

  protected override render(): TemplateResult {
    const { rows, columns } = this;
    const first = Math.max(0, Math.floor(this.scrolled / rowHeight) - margin);
    const last = Math.min(
      rows.length,
      Math.ceil((this.scrolled + this.height) / rowHeight) + margin,
    );
    const seen = rows.slice(first, last);
    const active = this.querySelector(`#${this.rowId(this.current)}`);
    if (active || this.current < last)
      this.setAttribute("aria-activedescendant", this.rowId(this.current));
    return html`<div class="grid" role="presentation">
      <div role="rowgroup">
        <div role="row" class="head" aria-rowindex="1">
          ${columns.map(
            ({ label, isNumber }) =>
              html`<div role="columnheader" class=${classMap({ right: isNumber === true })}>
                ${label}
              </div>`,
          )}
        </div>
      </div>
      <div role="rowgroup" class="body" .style=${`height: ${rows.length * rowHeight}px`}>
        ${repeat(
          seen,
          (_, index) => first + index,
          (row, index) => this.renderRow(row, first + index),
        )}
      </div>
    </div>`;
  }

  private rowId(index: number): string {
    return `${this.id || "table"}-row-${index}`;
  }

  private renderRow(row: Row, index: number): TemplateResult {
    return html`<div
      role="row"
      id=${this.rowId(index)}
      aria-rowindex=${index + 2}
      aria-selected=${index === this.current ? "true" : "false"}
      .style=${`top: ${index * rowHeight}px`}
      @click=${(event: Event) => {
        this.current = index;
        // Links in cells open by themselves, also in another tab.
        if (event.composedPath().some((each) => each instanceof HTMLAnchorElement)) return;
        this.onOpen?.(row);
      }}
    >
      ${this.columns.map(
        (column) =>
          html`<div role="gridcell" class=${classMap({ right: column.isNumber === true })}>
            ${column.cell(row, index)}
          </div>`,
      )}
    </div>`;
  }
}
