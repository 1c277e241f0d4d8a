import { html, LitElement, type TemplateResult } from "lit";
import { testOfRange } from "../../embed/index.ts";
import type { Api } from "../api/index.ts";
import { counted, readerZone, writeDay, writeNumber } from "../language/index.ts";
import { createLoad } from "../parts/index.ts";
import {
  readProfile,
  type Bin,
  type ExploredColumn,
  type Filter,
  type Profile,
} from "../questions/index.ts";
import { words } from "./words.ts";

const mostValues = 8;

/**
 * The distribution of a column: its most common values, or a histogram in which the reader presses one bar, or drags
 * over several, to filter by them. Properties: `api`, `datasetId`, `column`, `onFilter`.
 */
export class ColumnPanel extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    column: { attribute: false },
    brushed: { state: true },
  };
  declare api: Api;
  declare datasetId: string;
  declare column: ExploredColumn;
  declare onFilter: (filter: Filter) => void;
  /** The first and the last bar over which the reader drags. */
  declare private brushed: readonly [number, number] | undefined;
  private readonly load = createLoad<Profile>(this, (signal) =>
    readProfile(this.api, this.datasetId, this.column, signal),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  private chooseValue(value: string | null): void {
    const { id } = this.column;
    this.onFilter(
      value === null ? { id, test: "? is null" } : { id, test: "? in ?", value: [value] },
    );
  }

  private chooseBins(bins: readonly Bin[], first: number, last: number): void {
    const [begin, end] = [bins[Math.min(first, last)], bins[Math.max(first, last)]];
    if (!begin || !end) return;
    const { id, type, subtype } = this.column;
    if (type === "numeric")
      return this.onFilter({ id, test: "? between ?", value: [begin.from, end.to] });
    const isDay = subtype === "date";
    const [from, to] = [begin.from, end.to - 1].map((ms) => {
      const instant = new Date(ms).toISOString();
      return isDay ? instant.slice(0, 10) : instant;
    });
    const range = { key: "custom", customRange: { from: from!, to: to! } } as const;
    this.onFilter({ id, ...testOfRange(range, { isDay, timezoneId: isDay ? "UTC" : readerZone }) });
  }

  protected override render(): TemplateResult {
    return html`${this.load.show((profile) => {
      const { rows, empty, distinct, top, bins } = profile;
      return html`<p class="muted small">
          ${words.profile(counted(rows, words.row, words.rows), writeNumber(distinct))}
          ${empty > 0 ? words.empty(writeNumber(empty)) : ""}
        </p>
        ${top.length > 0 ? this.renderValues(top) : bins.length > 0 ? this.renderBins(bins) : ""}`;
    })}`;
  }

  private renderValues(top: Profile["top"]): TemplateResult {
    const most = Math.max(...top.map(({ count }) => count));
    return html`<div class="column-values" role="group" aria-label=${words.commonValues}>
      ${top.slice(0, mostValues).map(
        ({ value, count }) =>
          html`<button @click=${() => this.chooseValue(value)}>
            <span class="truncate grow">${value ?? words.noValue}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width=${(count / most) * 100} height="1"></rect>
            </svg>
            <span class="muted small">${writeNumber(count)}</span>
          </button>`,
      )}
    </div>`;
  }

  private renderBins(bins: readonly Bin[]): TemplateResult {
    const most = Math.max(...bins.map(({ count }) => count));
    const [first, last] = [bins[0], bins.at(-1)];
    const isBrushed = (index: number) =>
      this.brushed !== undefined &&
      index >= Math.min(...this.brushed) &&
      index <= Math.max(...this.brushed);
    return html`<div
        class="column-bars"
        role="group"
        aria-label=${words.distribution}
        @pointerup=${() => this.endBrush(bins)}
        @pointerleave=${() => (this.brushed = undefined)}
      >
        ${bins.map((bin, index) => {
          const height = bin.count / most;
          const label = words.bin(
            this.write(bin.from),
            this.write(bin.to),
            counted(bin.count, words.row, words.rows),
          );
          return html`<button
            class=${isBrushed(index) ? "over" : ""}
            title=${label}
            aria-label=${label}
            @pointerdown=${(event: PointerEvent) => {
              event.preventDefault();
              this.brushed = [index, index];
            }}
            @pointerenter=${() => {
              if (this.brushed) this.brushed = [this.brushed[0], index];
            }}
            @keydown=${({ key }: KeyboardEvent) => {
              if (key === "Enter" || key === " ") this.chooseBins(bins, index, index);
            }}
          >
            <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
              <rect y=${1 - height} width="1" height=${height}></rect>
            </svg>
          </button>`;
        })}
      </div>
      <p class="column-ends muted small">
        <span>${first ? this.write(first.from) : ""}</span>
        <span>${last ? this.write(last.to) : ""}</span>
      </p>`;
  }

  /** Returns an end of a bin: a number, or the day of an instant. */
  private write(end: number): string {
    return this.column.type === "numeric"
      ? writeNumber(end)
      : writeDay(new Date(end).toISOString());
  }

  private endBrush(bins: readonly Bin[]): void {
    const { brushed } = this;
    this.brushed = undefined;
    if (brushed) this.chooseBins(bins, ...brushed);
  }
}
