import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { notify, openForm } from "../../../parts/index.ts";
import { pickRecord } from "../../../records/index.ts";
import { nameOf, readPeople, type Person, type StandingPerson, type Standing } from "./person.ts";
import { words } from "./words.ts";

const resources: Readonly<Record<string, string>> = words.resources;

/** Returns one sentence for each consequence of deleting a person. */
function followsOf(standing: Standing): readonly string[] {
  const counts: readonly (readonly [number, (count: number) => string])[] = [
    [standing.session_count, words.followsSessions],
    [standing.api_token_count, words.followsTokens],
    [standing.issued_token_count, words.followsIssued],
    [standing.page_token_count, words.followsActing],
  ];
  return [
    ...counts.flatMap(([count, say]) => (count > 0 ? [say(count)] : [])),
    ...standing.owned.map(({ resource, count, goes_with_user: goes }) =>
      (goes ? words.followsStops : words.followsMoves)(count, resources[resource] ?? resource),
    ),
  ];
}

/**
 * Shows the consequences of deleting a person, lets the reader choose a successor if records need one, and deletes the
 * person. The counts are fetched again first. Returns whether the person was deleted.
 */
export async function removePerson(api: Api, { id, ...shown }: StandingPerson): Promise<boolean> {
  const name = nameOf(shown);
  const { rows } = await readPeople(api, { where: { id } });
  const standing = rows[0]?.standing;
  const follows = standing ? followsOf(standing) : [];
  const needsSuccessor = standing?.owned.some(({ goes_with_user: goes }) => !goes) === true;
  let successor: Person | undefined;
  const choose = () =>
    pickRecord<Person>({
      title: words.chooseSuccessor,
      label: words.searchPeople,
      none: words.nothingFound,
      nameOf,
      noteOf: ({ email }) => email,
      read: (keyphrase) =>
        readPeople(api, {
          where: { id: { ne: id }, email: { ne: "" } },
          ...(keyphrase !== "" && { search: { keyphrase, match_types: ["name", "email"] } }),
          order: [["name", "asc"]],
          limit: 50,
        }),
    });
  const renderSuccessor = (redraw: () => void): TemplateResult =>
    html`<div class="row">
      <span class="grow wrap"
        >${words.successor}: ${successor ? nameOf(successor) : words.noSuccessor}</span
      >
      <button
        type="button"
        class="button"
        @click=${async () => {
          successor = (await choose()) ?? successor;
          redraw();
        }}
      >
        ${words.chooseSuccessor}
      </button>
    </div>`;
  const isGone = await openForm<true>({
    title: words.removeTitle(name),
    action: words.removePerson,
    isDangerous: true,
    isComplete: () => !needsSuccessor || successor !== undefined,
    body: ({ wrong, redraw }) =>
      html`${
        follows.length === 0
          ? html`<p>${words.followsNothing}</p>`
          : html`<p>${words.removeText}</p>
              <ul class="follows">
                ${follows.map((each) => html`<li>${each}</li>`)}
              </ul>`
      }
      ${needsSuccessor ? renderSuccessor(redraw) : nothing}
      ${wrong === "" ? nothing : html`<p class="failure" role="alert">${wrong}</p>`}`,
    async save() {
      await api.remove("user", id, successor && { successor_id: successor.id });
      return true;
    },
  });
  if (isGone) notify({ text: words.removed(name) });
  return isGone === true;
}
