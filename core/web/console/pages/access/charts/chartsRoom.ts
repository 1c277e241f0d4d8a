import { html, type TemplateResult } from "lit";
import { isRecord, searchOf } from "../../../api/index.ts";
import { textOf, writeInstant } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  ConsolePage,
  define,
  emptyState,
  RecordList,
  type TableColumn,
} from "../../../parts/index.ts";
import { reviewChart, type CustomChart } from "./reviewChart.ts";
import { words } from "./words.ts";

const badges = { draft: "info", changed: "bad", approved: "good" } as const;
const include = [{ model: "User", as: "Author", attributes: ["id", "name", "email"] }];
const attributes = ["id", "name", "status", "approved_version_id", "updated_at", "user_id"];
const pageRows = 100;

function authorOf({ author }: CustomChart): string {
  return isRecord(author) ? textOf(author["name"]) || textOf(author["email"]) : "";
}

/** The custom charts of the organization, whose scripts an owner reviews: `/access/charts`. */
export class ChartsRoom extends ConsolePage {
  static override properties = { ...ConsolePage.properties, version: { state: true } };
  /** Incremented after a change, to reload the list. */
  declare private version: number;

  constructor() {
    super();
    this.version = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
  }

  private get columns(): readonly TableColumn<CustomChart>[] {
    return [
      {
        label: words.name,
        width: "minmax(160px, 2fr)",
        cell: ({ id, name }) => textOf(name) || id,
      },
      {
        label: words.script,
        width: "120px",
        cell: (chart) =>
          html`<button
            class="button"
            aria-label=${words.review(textOf(chart.name) || chart.id)}
            @click=${() => void this.review(chart)}
          >
            ${words.open}
          </button>`,
      },
      {
        label: words.status,
        width: "minmax(200px, 2fr)",
        cell: ({ status }) =>
          html`<span class="badge ${badges[status]}">${words.statuses[status]}</span>`,
      },
      { label: words.author, width: "minmax(120px, 1fr)", cell: (row) => authorOf(row) || "–" },
      { label: words.changed, width: "190px", cell: ({ updated_at: at }) => writeInstant(at) },
    ];
  }

  private async review(chart: CustomChart): Promise<void> {
    if (!(await reviewChart(this.context.api, chart))) return;
    this.version += 1;
  }

  protected override render(): TemplateResult {
    const { api, places } = this.context;
    return html`<console-records
      id="charts"
      .label=${words.title}
      .columns=${this.columns}
      .version=${this.version}
      .searchLabel=${words.search}
      .search=${this.place.query.get("search") ?? ""}
      .onSearch=${(search: string) => places.go(addressWith(this.place, { search }), { replaces: true })}
      .read=${(search: string, offset: number, signal?: AbortSignal) =>
        api.get<CustomChart>(
          "customchart",
          {
            ...searchOf(search),
            attributes,
            include,
            order: [["name", "asc"]],
            limit: pageRows,
            offset,
          },
          { signal },
        )}
      .countText=${(count: number) => words.count(count)}
      .empty=${emptyState({ title: words.none, text: words.noneText })}
      .nothingFound=${emptyState({ title: words.nothingFound })}
    ></console-records>`;
  }
}
