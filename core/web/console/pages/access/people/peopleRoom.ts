import { html, nothing, type TemplateResult } from "lit";
import type { Found } from "../../../api/index.ts";
import { textOf, writeAgo } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  ConsolePage,
  define,
  elementOf,
  emptyState,
  RecordList,
  type TableColumn,
} from "../../../parts/index.ts";
import { addPerson } from "./addPerson.ts";
import { nameOf, readPeople, roleOf, stateOf, type StandingPerson } from "./person.ts";
import { PersonView } from "./personView.ts";
import { words } from "./words.ts";

const columns: readonly TableColumn<StandingPerson>[] = [
  {
    label: words.name,
    width: "minmax(160px, 2fr)",
    cell: (row) => html`<a href="/access/people/${row.id}">${nameOf(row)}</a>`,
  },
  { label: words.email, width: "minmax(170px, 2fr)", cell: ({ email }) => email || "–" },
  { label: words.role, width: "90px", cell: (row) => words.roles[roleOf(row)] },
  {
    label: words.suborganization,
    width: "minmax(130px, 1fr)",
    cell: ({ suborganization }) => suborganization ?? "–",
  },
  {
    label: words.groups,
    width: "minmax(120px, 1fr)",
    cell: ({ groups }) => groups.map(({ name, id }) => textOf(name) || id).join(", ") || "–",
  },
  {
    label: words.lastSignIn,
    width: "130px",
    cell: ({ standing }) =>
      standing?.last_sign_in_at ? writeAgo(standing.last_sign_in_at) : words.never,
  },
  {
    label: words.state,
    width: "150px",
    cell({ standing }) {
      const state = stateOf(standing);
      const look = state === "ended" ? "bad" : state === "none" ? "warn" : "";
      return html`<span class="badge ${look}">${words.states[state]}</span>`;
    },
  },
];
const pageRows = 100;

/** The people of the organization, or one of them: `/access/people/<id>`. */
export class PeopleRoom extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
    define("console-person", PersonView);
  }

  private get filter(): { readonly suborganization: string | undefined; readonly isAll: boolean } {
    const { query } = this.place;
    return {
      suborganization: query.get("suborganization") ?? undefined,
      isAll: query.get("kind") === "all",
    };
  }

  private read(
    search: string,
    offset: number,
    signal?: AbortSignal,
  ): Promise<Found<StandingPerson>> {
    const { suborganization, isAll } = this.filter;
    const keyphrase = search.trim();
    const find = {
      where: {
        ...(!isAll && { email: { ne: "" } }),
        ...(suborganization !== undefined && { suborganization }),
      },
      ...(keyphrase !== "" && {
        search: { keyphrase, match_types: ["name", "email", "suborganization"] },
      }),
      order: [["name", "asc"]],
      limit: pageRows,
      offset,
    };
    return readPeople(this.context.api, find, signal);
  }

  private go(changes: Readonly<Record<string, string | undefined>>): void {
    this.context.places.go(addressWith(this.place, changes), { replaces: true });
  }

  private async add(): Promise<void> {
    const { api, places } = this.context;
    const id = await addPerson(api, { suborganization: this.filter.suborganization ?? "" });
    if (id !== undefined) places.go(`/access/people/${id}`);
  }

  protected override render(): TemplateResult {
    const [, , id] = this.place.parts;
    if (id !== undefined)
      return html`<console-person .context=${this.context} .personId=${id}></console-person>`;
    const { suborganization, isAll } = this.filter;
    return html`${
        suborganization === undefined
          ? nothing
          : html`<p class="row">
              <span class="badge info">${words.within(suborganization)}</span>
              <button class="button quiet" @click=${() => this.go({ suborganization: undefined })}>
                ${words.everywhere}
              </button>
            </p>`
      }
      <console-records
        id="people"
        .label=${words.title}
        .columns=${columns}
        .searchLabel=${words.search}
        .search=${this.place.query.get("search") ?? ""}
        .version=${`${suborganization} ${isAll}`}
        .onSearch=${(search: string) => this.go({ search })}
        .read=${(search: string, offset: number, signal?: AbortSignal) =>
          this.read(search, offset, signal)}
        .countText=${(count: number) => words.count(count)}
        .onOpen=${({ id: opened }: StandingPerson) =>
          this.context.places.go(`/access/people/${opened}`)}
        .empty=${emptyState({ title: words.nobody, text: words.nobodyText })}
        .nothingFound=${emptyState({ title: words.nothingFound })}
        .tools=${this.renderTools(isAll)}
      ></console-records>`;
  }

  private renderTools(isAll: boolean): TemplateResult {
    return html`<select
        class="input fit"
        aria-label=${words.kind}
        @change=${(event: Event) => this.go({ kind: elementOf(event.target, HTMLSelectElement).value })}
      >
        <option value="" ?selected=${!isAll}>${words.kinds.people}</option>
        <option value="all" ?selected=${isAll}>${words.kinds.all}</option>
      </select>
      ${
        this.context.user.role === "owner"
          ? html`<button class="button primary" @click=${() => void this.add()}>
              ${words.add}
            </button>`
          : nothing
      }`;
  }
}
