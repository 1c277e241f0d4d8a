import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { isRecord } from "../../../api/index.ts";
import { defineElements } from "../../../../embed/index.ts";
import { writeNumber } from "../../../language/index.ts";
import { selectField } from "../../../parts/index.ts";
import type { Pair } from "./queryAs.ts";
import { words } from "./words.ts";

/**
 * The dashboards of a token, drawn with that token by the embed element. Says how many items have rows, and why some
 * rows may be missing. Properties: `dashboards`, `pair`, `isFiltered`.
 */
export class SeenDashboards extends LitElement {
  static override properties = {
    dashboards: { attribute: false },
    pair: { attribute: false },
    isFiltered: { attribute: false },
    chosen: { state: true },
    counts: { state: true },
  };
  declare dashboards: readonly { readonly id: string; readonly name: string }[];
  declare pair: Pair;
  /** Whether filters hide rows of at least one dataset. */
  declare isFiltered: boolean;
  declare private chosen: string;
  /** Row counts by item; undefined for an item that the host refused. */
  declare private counts: ReadonlyMap<string, number | undefined>;

  constructor() {
    super();
    defineElements();
    [this.chosen, this.counts] = ["", new Map()];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("dashboards")) return;
    if (!this.dashboards.some(({ id }) => id === this.chosen))
      this.choose(this.dashboards[0]?.id ?? "");
  }

  private choose(id: string): void {
    [this.chosen, this.counts] = [id, new Map()];
  }

  private readonly count = (event: Event): void => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (!isRecord(detail) || typeof detail["itemId"] !== "string") return;
    const { itemId, rowCount } = detail;
    const rows = typeof rowCount === "number" ? rowCount : undefined;
    this.counts = new Map([...this.counts, [itemId, rows]]);
  };

  protected override render(): TemplateResult {
    const { chosen, counts, pair } = this;
    const drawn = [...counts.values()].filter((rows) => rows !== undefined);
    const withRows = drawn.filter((rows) => rows > 0).length;
    return html`<div class="stack">
      ${selectField({
        id: "see-dashboard",
        label: words.pickDashboard,
        value: chosen,
        choices: this.dashboards.map(({ id, name }) => ({ value: id, label: name })),
        onSelect: (id) => this.choose(id),
      })}
      <p role="status">
        ${words.itemCount(writeNumber(withRows), writeNumber(counts.size))}
        ${this.isFiltered ? words.itemsFiltered : words.itemsWhole}
      </p>
      <div class="seen-dashboard">
        <manifold-dashboard
          dashboard=${chosen}
          host=${window.location.origin}
          auth-key=${pair.id}
          auth-token=${pair.token}
          theme=${document.documentElement.dataset["theme"] ?? "auto"}
          @load=${this.count}
          @error=${this.count}
        ></manifold-dashboard>
      </div>
    </div>`;
  }
}
