import { html, nothing, type TemplateResult } from "lit";
import { addressWith } from "../navigation/index.ts";
import { RecordList, ConsolePage, define, emptyState } from "../parts/index.ts";
import type { RecordKind, RecordPage } from "./recordKind.ts";
import { RecordView } from "./recordView.ts";

/**
 * The records of a kind as a list, or one of these records. The third part of the address is the id of a record or
 * `new`. Properties: `context`, `kind`, `route`.
 */
export class RecordRoom extends ConsolePage implements RecordPage {
  static override properties = {
    ...ConsolePage.properties,
    kind: { attribute: false },
    version: { state: true },
  };
  declare kind: RecordKind;
  /** Incremented to load the list again. */
  declare private version: number;

  constructor() {
    super();
    this.version = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
    define("console-record-view", RecordView);
  }

  protected override updated(): void {
    const { kind, route } = this;
    if (!kind.add || route.query.get("new") !== "1") return;
    this.go({ new: undefined });
    void kind.add(this);
  }

  go(changes: Readonly<Record<string, string | undefined>>): void {
    this.context.router.go(addressWith(this.route, changes), { replaces: true });
  }

  reload(): void {
    this.version += 1;
  }

  protected override render(): TemplateResult {
    const { context, kind, route } = this;
    const { view, words } = kind;
    const [, , id] = route.parts;
    if (id === "new" && kind.create) return kind.create(this);
    if (id !== undefined && view)
      return html`<console-record-view
        .context=${context}
        .kind=${view}
        .recordId=${id}
      ></console-record-view>`;
    return html`${kind.above?.(this) ?? nothing}
      <console-records
        id=${kind.id}
        .label=${words.title}
        .columns=${kind.columns(this)}
        .searchLabel=${words.search}
        .search=${route.query.get("search") ?? ""}
        .version=${`${kind.id} ${this.version} ${route.query}`}
        .onSearch=${(search: string) => this.go({ search })}
        .read=${(search: string, offset: number, signal?: AbortSignal) =>
          kind.find(this, search, offset, signal)}
        .countText=${(count: number) => words.count(count)}
        .onOpen=${view && ((row: { readonly id: string }) => context.router.go(`${view.path}/${row.id}`))}
        .empty=${emptyState({ title: words.none, text: words.noneText, action: kind.begin })}
        .nothingFound=${emptyState({ title: words.nothingFound ?? words.none })}
        .tools=${kind.tools?.(this) ?? nothing}
      ></console-records>`;
  }
}
