import { html, LitElement, type TemplateResult } from "lit";
import { messageOf, type Api } from "../api/index.ts";
import { writeNumber } from "../language/index.ts";
import { elementOf } from "../parts/index.ts";
import { readValues, suggestedCount, type Suggestion } from "./readValues.ts";
import { questionWords as words } from "./questionWords.ts";

/** The column whose values are listed. */
export interface ListedColumn {
  readonly api: Api;
  readonly datasetId: string;
  readonly column: { readonly id: string };
}

const waitMs = 150;

/**
 * The values of a column with their number of rows, most frequent first, as checkboxes with a search field. Values that
 * were chosen before stay in the list. Properties: `options`, `chosen` (changed in place), `onChange`.
 */
export class ValueList extends LitElement {
  static override properties = {
    found: { state: true },
    failure: { state: true },
  };
  declare options: ListedColumn;
  declare chosen: Set<unknown>;
  declare onChange: () => void;
  declare private found: readonly Suggestion[] | undefined;
  declare private failure: string | undefined;
  private search = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** The values that were chosen when the list opened. */
  private kept: readonly unknown[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.kept = [...this.chosen];
    void this.read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
  }

  private async read(): Promise<void> {
    const { search, options } = this;
    try {
      const found = await readValues(options.api, options.datasetId, options.column.id, search);
      if (search === this.search) [this.found, this.failure] = [found, undefined];
    } catch (reason) {
      this.failure = messageOf(reason);
    }
  }

  private type(text: string): void {
    this.search = text;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.read(), waitMs);
  }

  private choose(value: unknown, isChosen: boolean): void {
    if (isChosen) this.chosen.add(value);
    else this.chosen.delete(value);
    this.requestUpdate();
    this.onChange();
  }

  private line(value: unknown, count: number | undefined): TemplateResult {
    return html`<label class="value">
      <input
        type="checkbox"
        .checked=${this.chosen.has(value)}
        @change=${(event: Event) =>
          this.choose(value, elementOf(event.target, HTMLInputElement).checked)}
      />
      <span class="grow truncate">${value ?? words.none}</span>
      ${count === undefined ? "" : html`<span class="muted small">${writeNumber(count)}</span>`}
    </label>`;
  }

  protected override render(): TemplateResult {
    const { found, failure, search } = this;
    const missing =
      search === "" && found
        ? this.kept.filter((value) => !found.some((each) => each.value === value))
        : [];
    return html`<input
        class="input"
        type="search"
        aria-label=${words.searchValues}
        placeholder=${words.searchValues}
        @input=${(event: Event) => this.type(elementOf(event.target, HTMLInputElement).value)}
      />
      ${failure ? html`<p class="failure" role="alert">${failure}</p>` : ""}
      <div class="values" role="group" aria-label=${words.values}>
        ${missing.map((value) => this.line(value, undefined))}
        ${(found ?? []).map(({ value, count }) => this.line(value, count))}
        ${found?.length === 0 && missing.length === 0 ? html`<p class="muted">${words.noValues}</p>` : ""}
      </div>
      ${
        found?.length === suggestedCount
          ? html`<p class="muted small">${words.mostValues(writeNumber(suggestedCount))}</p>`
          : ""
      }`;
  }
}
