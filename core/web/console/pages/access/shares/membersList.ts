import { html, LitElement, nothing, type TemplateResult } from "lit";
import { isRecord, type Found } from "../../../api/index.ts";
import { textOf, writeNumber } from "../../../language/index.ts";
import {
  RecordList,
  confirmAndRun,
  define,
  emptyState,
  notifyFailure,
  type ConsoleContext,
  type TableColumn,
} from "../../../parts/index.ts";
import { pickRecord } from "../../../records/index.ts";
import { flagsOf, includeOf, linkOf, rightOf, type Holder } from "./holder.ts";
import { words } from "./words.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

const kinds = {
  user: {
    role: "Users",
    path: "people",
    title: words.users,
    add: words.addUser,
    find: words.findUsers,
    search: words.searchUsers,
    none: words.noUsers,
    searched: ["name", "email"],
  },
  group: {
    role: "Groups",
    path: "groups",
    title: words.groups,
    add: words.addGroup,
    find: words.findGroups,
    search: words.searchGroups,
    none: words.noGroups,
    searched: ["name"],
  },
} as const;
const pageRows = 100;

const emailOf = (row: Row): string => (typeof row["email"] === "string" ? row["email"] : "");
const nameOf = (row: Row): string => textOf(row["name"]) || emailOf(row) || row.id;

/** The people or groups that belong to a holder, with search and pages. Properties: `context`, `holder`, `kind`. */
export class MembersList extends LitElement {
  static override properties = {
    context: { attribute: false },
    holder: { attribute: false },
    kind: { attribute: false },
    version: { state: true },
  };
  declare context: ConsoleContext;
  declare holder: Holder;
  declare kind: keyof typeof kinds;
  declare private version: number;

  constructor() {
    super();
    this.version = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
  }

  private find(search: string, more: object): Promise<Found<Row>> {
    const keyphrase = search.trim();
    const { searched } = kinds[this.kind];
    return this.context.api.get<Row>(this.kind, {
      attributes: ["id", "name", ...(this.kind === "user" ? ["email"] : [])],
      ...(keyphrase !== "" && { search: { keyphrase, match_types: searched } }),
      order: [["name", "asc"]],
      ...more,
    });
  }

  private async add(): Promise<void> {
    const { add, find, role } = kinds[this.kind];
    const { resource, id } = this.holder;
    const where = this.kind === "user" ? { email: { ne: "" } } : { public: false };
    const picked = await pickRecord<Row>({
      title: add,
      label: find,
      none: words.none,
      nameOf,
      noteOf: emailOf,
      read: (search) => this.find(search, { where, limit: 50 }),
    });
    if (!picked) return;
    const flags = resource === "group" ? { flagMember: true } : flagsOf("use");
    try {
      await this.context.api.associate(resource, id, { role, id: picked.id }, flags);
      this.version += 1;
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async takeOut(row: Row): Promise<void> {
    const { resource, id } = this.holder;
    const { role } = kinds[this.kind];
    const isDone = await confirmAndRun({
      action: words.remove,
      title: words.removeNamed(nameOf(row)),
      text: words.removeText(nameOf(row), true),
      run: () => this.context.api.dissociate(resource, id, { role, id: row.id }),
    });
    if (isDone) this.version += 1;
  }

  private get columns(): readonly TableColumn<Row>[] {
    const { path } = kinds[this.kind];
    const { holder } = this;
    return [
      {
        label: words.name,
        width: "minmax(150px, 2fr)",
        cell: (row) => html`<a href="/access/${path}/${row.id}">${nameOf(row)}</a>`,
      },
      ...(this.kind === "user"
        ? [{ label: words.email, width: "minmax(160px, 2fr)", cell: emailOf }]
        : []),
      {
        label: words.right,
        width: "minmax(100px, 1fr)",
        cell(row) {
          const link = linkOf(row, holder);
          if (holder.resource === "integration") return words.rights[rightOf(link)];
          return isRecord(link) && link["flagOwn"] === true
            ? words.roles.owner
            : words.roles.member;
        },
      },
      ...(holder.isRuled
        ? [
            {
              label: words.change,
              width: "120px",
              cell: (row: Row) =>
                html`<button
                  class="button quiet"
                  aria-label=${words.removeNamed(nameOf(row))}
                  @click=${() => void this.takeOut(row)}
                >
                  ${words.remove}
                </button>`,
            },
          ]
        : []),
    ];
  }

  protected override render(): TemplateResult {
    const { title, add, search, none } = kinds[this.kind];
    const include = [includeOf(this.holder)];
    return html`<section class="stack" aria-labelledby="members-${this.kind}">
      <h2 id="members-${this.kind}">${title}</h2>
      <console-records
        id="members-of-${this.kind}"
        .label=${title}
        .columns=${this.columns}
        .searchLabel=${search}
        .version=${`${this.holder.id} ${this.version}`}
        .height=${360}
        .read=${(text: string, offset: number) =>
          this.find(text, { include, limit: pageRows, offset })}
        .countText=${(count: number) => words.count(writeNumber(count))}
        .empty=${html`<p class="muted">${none}</p>`}
        .nothingFound=${emptyState({ title: words.none })}
        .tools=${
          this.holder.isRuled
            ? html`<button class="button" @click=${() => void this.add()}>${add}</button>`
            : nothing
        }
      ></console-records>
    </section>`;
  }
}
