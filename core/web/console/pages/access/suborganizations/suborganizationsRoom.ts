import { html, type TemplateResult } from "lit";
import type { Found } from "../../../api/index.ts";
import { writeNumber } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  askText,
  ConsolePage,
  define,
  emptyState,
  RecordList,
  type TableColumn,
} from "../../../parts/index.ts";
import { addPerson } from "../people/index.ts";
import { movePeople } from "./movePeople.ts";
import { readSuborganizations, type Suborganization } from "./readSuborganizations.ts";
import { words } from "./words.ts";

/** The suborganizations, which their people and groups name. */
export class SuborganizationsRoom extends ConsolePage {
  static override properties = { ...ConsolePage.properties, version: { state: true } };
  declare private version: number;

  constructor() {
    super();
    this.version = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
  }

  private async read(search: string, signal?: AbortSignal): Promise<Found<Suborganization>> {
    const all = await readSuborganizations(this.context.api, signal);
    const text = search.trim().toLowerCase();
    const rows = all.filter(({ name }) => name.toLowerCase().includes(text));
    return { count: rows.length, rows };
  }

  private async add(): Promise<void> {
    const { api, places } = this.context;
    const name = await askText({
      title: words.add,
      label: words.name,
      hint: words.intro,
      action: words.addAction,
      save: (text) => Promise.resolve(text),
    });
    if (name === undefined) return;
    const id = await addPerson(api, { suborganization: name });
    if (id !== undefined) places.go(`/access/people/${id}`);
  }

  private async move(from: Suborganization): Promise<void> {
    if (await movePeople(this.context.api, from)) this.version += 1;
  }

  private readonly columns: readonly TableColumn<Suborganization>[] = [
    {
      label: words.name,
      width: "minmax(180px, 3fr)",
      cell: ({ name }) =>
        html`<a href="/access/people?suborganization=${encodeURIComponent(name)}">${name}</a>`,
    },
    {
      label: words.people,
      width: "90px",
      isNumber: true,
      cell: ({ people }) => writeNumber(people),
    },
    {
      label: words.groups,
      width: "90px",
      isNumber: true,
      cell: ({ groups }) => writeNumber(groups),
    },
    {
      label: words.change,
      width: "150px",
      cell: (row) =>
        html`<button
          class="button quiet"
          ?disabled=${row.people === 0}
          aria-label=${words.moveNamed(row.name)}
          @click=${() => void this.move(row)}
        >
          ${words.move}
        </button>`,
    },
  ];

  protected override render(): TemplateResult {
    const { places } = this.context;
    return html`<p class="muted">${words.intro}</p>
      <console-records
        id="suborganizations"
        .label=${words.title}
        .columns=${this.columns}
        .searchLabel=${words.search}
        .search=${this.place.query.get("search") ?? ""}
        .version=${this.version}
        .onSearch=${(search: string) => places.go(addressWith(this.place, { search }), { replaces: true })}
        .read=${(search: string, _offset: number, signal?: AbortSignal) =>
          this.read(search, signal)}
        .countText=${(count: number) => words.count(count)}
        .empty=${emptyState({ title: words.none, text: words.noneText })}
        .nothingFound=${emptyState({ title: words.nothingFound })}
        .tools=${html`<button class="button primary" @click=${() => void this.add()}>
          ${words.add}
        </button>`}
      ></console-records>`;
  }
}
