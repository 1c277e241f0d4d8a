import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import type { Router } from "../../../navigation/index.ts";
import {
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  type TableColumn,
} from "../../../parts/index.ts";
import type { Level, TextColumn } from "./hierarchy.ts";
import { HierarchyView } from "./hierarchyView.ts";
import { words } from "./words.ts";

interface Listed extends TextColumn {
  readonly hierarchyLevels?: readonly Level[];
}

const pageColumns = 1_000;

/**
 * The text columns of a dataset with their levels, or one of these columns. Properties: `api`, `router`, `datasetId`,
 * `columns`, `columnId`, `query`.
 */
export class HierarchiesView extends LitElement {
  static override properties = {
    api: { attribute: false },
    router: { attribute: false },
    datasetId: { attribute: false },
    columns: { attribute: false },
    columnId: { attribute: false },
    query: { attribute: false },
  };
  declare api: Api;
  declare router: Router;
  declare datasetId: string;
  declare columns: readonly TextColumn[];
  /** The column whose hierarchy is shown; undefined to show the list. */
  declare columnId: string | undefined;
  declare query: URLSearchParams;
  private readonly listed = createLoad(this, async (signal) => this.readColumns(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-table", ConsoleTable);
    define("console-hierarchy", HierarchyView);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isListed = this.columnId === undefined;
    if (isListed && (changed.has("datasetId") || changed.has("columnId"))) void this.listed.start();
  }

  private async readColumns(signal: AbortSignal): Promise<readonly Listed[]> {
    const columns: Listed[] = [];
    for (;;) {
      const { count, rows } = await this.api.get<Listed>(
        "column",
        {
          where: { securable_id: this.datasetId, type: "hierarchy" },
          attributes: ["id", "name", "type"],
          include: [{ model: "HierarchyLevel", as: "HierarchyLevels" }],
          order: [["order", "asc"]],
          limit: pageColumns,
          offset: columns.length,
        },
        { signal },
      );
      columns.push(...rows);
      if (rows.length === 0 || columns.length >= count) return columns;
    }
  }

  protected override render(): TemplateResult {
    const { api, router, datasetId, columnId, query } = this;
    if (columnId === undefined)
      return this.listed.show((columns) =>
        columns.length === 0
          ? emptyState({ title: words.none, text: words.noneText })
          : this.renderList(columns),
      );
    const column = this.columns.find(({ id }) => id === columnId);
    if (column?.type !== "hierarchy")
      return emptyState({
        title: words.absent,
        action: html`<a class="button" href="/data/${datasetId}/hierarchies">${words.back}</a>`,
      });
    return html`<console-hierarchy
      .api=${api}
      .router=${router}
      .datasetId=${datasetId}
      .column=${column}
      .query=${query}
    ></console-hierarchy>`;
  }

  private renderList(listed: readonly Listed[]): TemplateResult {
    const columns: readonly TableColumn<Listed>[] = [
      {
        label: words.column,
        width: "minmax(160px, 1fr)",
        cell: ({ id, name }) =>
          html`<a href="/data/${this.datasetId}/hierarchies/${id}">${textOf(name) || id}</a>`,
      },
      {
        label: words.levels,
        width: "minmax(160px, 2fr)",
        cell: ({ hierarchyLevels = [] }) =>
          hierarchyLevels
            .toSorted((one, other) => one.level - other.level)
            .map(({ name, id }) => textOf(name) || id)
            .join(" › ") || "–",
      },
    ];
    return html`<p class="muted">${words.text}</p>
      <p class="muted small" role="status">${words.count(listed.length)}</p>
      <console-table
        id="hierarchies"
        .label=${words.title}
        .columns=${columns}
        .rows=${listed}
        .onOpen=${({ id }: Listed) => this.router.go(`/data/${this.datasetId}/hierarchies/${id}`)}
      ></console-table>`;
  }
}
