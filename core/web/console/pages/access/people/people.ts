import { html, nothing, type TemplateResult } from "lit";
import { textOf, writeAgo } from "../../../language/index.ts";
import { elementOf } from "../../../parts/index.ts";
import type { RecordKind, RecordPage } from "../../../records/index.ts";
import { addPerson } from "./addPerson.ts";
import { nameOf, readPeople, roleOf, stateOf, type StandingPerson } from "./person.ts";
import { personView } from "./personView.ts";
import { words } from "./words.ts";

const pageRows = 100;

/** Returns the filters of the list, which are members of the address. */
const filterOf = ({ route: { query } }: RecordPage) => ({
  suborganization: query.get("suborganization") ?? undefined,
  isAll: query.get("kind") === "all",
});

async function add(page: RecordPage): Promise<void> {
  const { api, router } = page.context;
  const id = await addPerson(api, { suborganization: filterOf(page).suborganization ?? "" });
  if (id !== undefined) router.go(`/access/people/${id}`);
}

/** The declaration of the People tab: the people of the organization, and the view of one person. */
export const people: RecordKind<StandingPerson> = {
  id: "people",
  words,
  add,
  columns: () => [
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
      cell: ({ groups }) =>
        groups.map(({ name }) => textOf(name) || words.unnamed).join(", ") || "–",
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
  ],
  find(page, search, offset, signal) {
    const { suborganization, isAll } = filterOf(page);
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
    return readPeople(page.context.api, find, signal);
  },
  above(page) {
    const { suborganization } = filterOf(page);
    if (suborganization === undefined) return nothing;
    return html`<p class="row">
      <span class="badge info">${words.within(suborganization)}</span>
      <button class="button quiet" @click=${() => page.go({ suborganization: undefined })}>
        ${words.everywhere}
      </button>
    </p>`;
  },
  tools(page): TemplateResult {
    const { isAll } = filterOf(page);
    return html`<select
        class="input fit"
        aria-label=${words.kind}
        @change=${(event: Event) => page.go({ kind: elementOf(event.target, HTMLSelectElement).value })}
      >
        <option value="" ?selected=${!isAll}>${words.kinds.people}</option>
        <option value="all" ?selected=${isAll}>${words.kinds.all}</option>
      </select>
      ${
        page.context.user.role === "owner"
          ? html`<button class="button primary" @click=${() => void add(page)}>
              ${words.add}
            </button>`
          : nothing
      }`;
  },
  view: personView,
};
