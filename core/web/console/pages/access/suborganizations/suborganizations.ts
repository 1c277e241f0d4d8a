import { html } from "lit";
import { writeNumber } from "../../../language/index.ts";
import { openTextForm } from "../../../parts/index.ts";
import type { RecordKind, RecordPage } from "../../../records/index.ts";
import { addPerson } from "../people/index.ts";
import { movePeople } from "./movePeople.ts";
import { readSuborganizations, type Suborganization } from "./readSuborganizations.ts";
import { words } from "./words.ts";

async function add({ context: { api, router } }: RecordPage): Promise<void> {
  const name = await openTextForm({
    title: words.add,
    label: words.name,
    hint: words.intro,
    action: words.addAction,
    save: (text) => Promise.resolve(text),
  });
  if (name === undefined) return;
  const id = await addPerson(api, { suborganization: name });
  if (id !== undefined) router.go(`/access/people/${id}`);
}

async function move(page: RecordPage, from: Suborganization): Promise<void> {
  if (await movePeople(page.context.api, from)) page.reload();
}

/** The declaration of the Suborganizations tab: the suborganizations that people and groups name. */
export const suborganizations: RecordKind<Suborganization> = {
  id: "suborganizations",
  words,
  columns: (page) => [
    {
      label: words.name,
      width: "minmax(180px, 3fr)",
      cell: ({ id }) =>
        html`<a href="/access/people?suborganization=${encodeURIComponent(id)}">${id}</a>`,
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
          aria-label=${words.moveNamed(row.id)}
          @click=${() => void move(page, row)}
        >
          ${words.move}
        </button>`,
    },
  ],
  async find({ context }, search, _offset, signal) {
    const all = await readSuborganizations(context.api, signal);
    const text = search.trim().toLowerCase();
    const rows = all.filter(({ id }) => id.toLowerCase().includes(text));
    return { count: rows.length, rows };
  },
  above: () => html`<p class="muted">${words.intro}</p>`,
  tools: (page) =>
    html`<button class="button primary" @click=${() => void add(page)}>${words.add}</button>`,
};
