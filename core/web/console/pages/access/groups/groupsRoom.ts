import { html, type TemplateResult } from "lit";
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
import { GroupView, type Group } from "./groupView.ts";
import { words } from "./words.ts";

const columns: readonly TableColumn<Group>[] = [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: ({ id, name }) => html`<a href="/access/groups/${id}">${textOf(name) || id}</a>`,
  },
  {
    label: words.people,
    width: "110px",
    cell: ({ public: isPublic }) => (isPublic ? words.everyone : words.members),
  },
  {
    label: words.suborganization,
    width: "minmax(130px, 1fr)",
    cell: ({ suborganization }) => suborganization ?? "–",
  },
  { label: words.created, width: "190px", cell: ({ created_at: at }) => writeInstant(at) },
];
const pageRows = 100;

/** The groups, or one of them: `/access/groups/<id>`. */
export class GroupsRoom extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
    define("console-group", GroupView);
  }

  private async add(): Promise<void> {
    const { api, places } = this.context;
    const made = await askText({
      title: words.add,
      label: words.name,
      action: words.add,
      save: (name) => api.create<{ readonly id: string }>("group", { name }),
    });
    if (made) places.go(`/access/groups/${made.id}`);
  }

  protected override render(): TemplateResult {
    const { api, places } = this.context;
    const [, , id] = this.place.parts;
    if (id !== undefined)
      return html`<console-group .context=${this.context} .groupId=${id}></console-group>`;
    return html`<console-records
      id="groups"
      .label=${words.title}
      .columns=${columns}
      .searchLabel=${words.search}
      .search=${this.place.query.get("search") ?? ""}
      .onSearch=${(search: string) => places.go(addressWith(this.place, { search }), { replaces: true })}
      .read=${(search: string, offset: number, signal?: AbortSignal) =>
        api.get<Group>(
          "group",
          { ...searchOf(search), order: [["name", "asc"]], limit: pageRows, offset },
          { signal },
        )}
      .countText=${(count: number) => words.count(count)}
      .onOpen=${({ id: opened }: Group) => places.go(`/access/groups/${opened}`)}
      .empty=${emptyState({ title: words.none, text: words.noneText })}
      .nothingFound=${emptyState({ title: words.nothingFound })}
      .tools=${html`<button class="button primary" @click=${() => void this.add()}>
        ${words.add}
      </button>`}
    ></console-records>`;
  }
}
