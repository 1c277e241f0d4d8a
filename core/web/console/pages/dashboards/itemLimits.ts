import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { filtersOf, readItem } from "../../../charts/index.ts";
import { writeNumber } from "../../language/index.ts";
import { createLoad, type ConsoleContext } from "../../parts/index.ts";
import { describeFilter, rowCountOf } from "../../questions/index.ts";
import { filtersIn, filtersOfControl, type BoardFilter } from "./boardFilters.ts";
import type { BoardItem, BoardView, Contents } from "./contents.ts";
import { isFilter } from "./filterBar.ts";
import { words } from "./words.ts";

interface Counts {
  /** Number of rows that pass the filters. */
  readonly left: number;
  readonly all: number;
}

/**
 * Says how many rows of its dataset a chart reads when the dashboard opens, and which filters leave out the others.
 * Shows nothing for a chart that reads all rows.
 */
export class ItemLimits extends LitElement {
  static override properties = {
    context: { attribute: false },
    contents: { attribute: false },
    view: { attribute: false },
    item: { attribute: false },
    datasetId: { attribute: false },
    columnNames: { attribute: false },
  };
  declare context: ConsoleContext;
  declare contents: Contents;
  declare view: BoardView;
  declare item: BoardItem;
  declare datasetId: string;
  declare columnNames: ReadonlyMap<string, string>;
  private countedKey = "";
  private readonly counts = createLoad<Counts>(this, async (signal) => {
    const counted = { measures: [rowCountOf(this.datasetId)], options: { cells: "plain" } };
    const find = { queries: [{ ...counted, where: this.where }, counted] };
    const answer = await this.context.api.call<
      readonly { readonly data: readonly (readonly unknown[])[] }[]
    >("data", "get", { find }, { signal });
    const [left, all] = answer.map(({ data }) => Number(data[0]?.[0] ?? 0));
    return { left: left ?? 0, all: all ?? 0 };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get where(): readonly unknown[] {
    const { contents, view, item } = this;
    return filtersOf({ contents: { ...contents }, view: { ...view } }, readItem(item)).where;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!["contents", "view", "item", "datasetId"].some((name) => changed.has(name))) return;
    const { where } = this;
    const key = where.length === 0 ? "" : JSON.stringify([this.datasetId, where]);
    if (key === this.countedKey) return;
    this.countedKey = key;
    this.counts.clear();
    if (key !== "") void this.counts.start();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.countedKey === "") return nothing;
    return this.counts.show(({ left, all }) => {
      if (left === all) return html``;
      return html`<div class="item-limits small">
        <p>${words.limited(writeNumber(left), writeNumber(all))}</p>
        <ul>
          ${this.limits().map(
            ({ filter, source }) =>
              html`<li>
                ${describeFilter(filter, this.columnNames.get(filter.id) ?? "…")}
                <span class="muted">${source}</span>
              </li>`,
          )}
        </ul>
      </div>`;
    }, 1);
  }

  /** Returns the filters of the chart's dataset, each with the words for where it comes from. */
  private limits(): readonly { readonly filter: BoardFilter; readonly source: string }[] {
    const { contents, view, item, datasetId } = this;
    const of = (source: string, filters: readonly BoardFilter[]) =>
      filters
        .filter((filter) => filter.datasetId === datasetId)
        .map((filter) => ({ filter, source }));
    return [
      ...of(words.limitSources.chart, filtersIn(contents, { kind: "item", view, itemId: item.id })),
      ...of(words.limitSources.dashboard, filtersIn(contents, { kind: "dashboard" })),
      ...(view.items ?? [])
        .filter(isFilter)
        .flatMap(({ id }) => of(words.limitSources.control, filtersOfControl(contents, view, id))),
    ];
  }
}
