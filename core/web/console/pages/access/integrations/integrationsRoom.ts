import { html, nothing, type TemplateResult } from "lit";
import { searchOf } from "../../../api/index.ts";
import { textOf, writeInstant } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  askText,
  ConsolePage,
  define,
  emptyState,
  RecordList,
  type TableColumn,
} from "../../../parts/index.ts";
import { IntegrationView, ownerOf, type Integration } from "./integrationView.ts";
import { words } from "./words.ts";

const columns: readonly TableColumn<Integration>[] = [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: ({ id, name }) => html`<a href="/access/integrations/${id}">${textOf(name) || id}</a>`,
  },
  { label: words.owner, width: "minmax(120px, 1fr)", cell: (row) => ownerOf(row) || "–" },
  { label: words.created, width: "190px", cell: ({ created_at: at }) => writeInstant(at) },
];
const include = [{ model: "User", as: "Owner", attributes: ["id", "name", "email"] }];
const pageRows = 100;

/** The integrations, or one of them: `/access/integrations/<id>`. */
export class IntegrationsRoom extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
    define("console-integration", IntegrationView);
  }

  private async add(): Promise<void> {
    const { api, places } = this.context;
    const made = await askText({
      title: words.add,
      label: words.name,
      action: words.add,
      save: (name) => api.create<{ readonly id: string }>("integration", { name }),
    });
    if (made) places.go(`/access/integrations/${made.id}`);
  }

  protected override render(): TemplateResult {
    const { api, places, user } = this.context;
    const [, , id] = this.place.parts;
    if (id !== undefined)
      return html`<console-integration
        .context=${this.context}
        .integrationId=${id}
      ></console-integration>`;
    return html`<console-records
      id="integrations"
      .label=${words.title}
      .columns=${columns}
      .searchLabel=${words.search}
      .search=${this.place.query.get("search") ?? ""}
      .onSearch=${(search: string) => places.go(addressWith(this.place, { search }), { replaces: true })}
      .read=${(search: string, offset: number, signal?: AbortSignal) =>
        api.get<Integration>(
          "integration",
          { ...searchOf(search), include, order: [["name", "asc"]], limit: pageRows, offset },
          { signal },
        )}
      .countText=${(count: number) => words.count(count)}
      .onOpen=${({ id: opened }: Integration) => places.go(`/access/integrations/${opened}`)}
      .empty=${emptyState({ title: words.none, text: words.noneText })}
      .nothingFound=${emptyState({ title: words.nothingFound })}
      .tools=${
        user.role === "owner"
          ? html`<button class="button primary" @click=${() => void this.add()}>
              ${words.add}
            </button>`
          : nothing
      }
    ></console-records>`;
  }
}
