import { html, nothing, type TemplateResult } from "lit";
import { writeAgo, writeInstant } from "../../../language/index.ts";
import {
  actionButtons,
  nameOfRecord,
  pickRecord,
  type OpenRecord,
  type RecordViewKind,
} from "../../../records/index.ts";
import { sendInvitation } from "../../../sharing/index.ts";
import { changePerson } from "./changePerson.ts";
import { changeParameters, linesOf } from "./changeParameters.ts";
import { endSessions, endTokens, setPassword } from "./endAccess.ts";
import { nameOf, readPeople, roleOf, stateOf, type StandingPerson } from "./person.ts";
import { removePerson } from "./removePerson.ts";
import { words } from "./words.ts";

interface Group {
  readonly id: string;
  readonly name: unknown;
}

/** One person: details, role, groups and parameters, and the actions that end their access. */
export const personView: RecordViewKind<StandingPerson> = {
  path: "/access/people",
  words,
  nameOf,
  note: ({ email }) => email || "–",
  read: async ({ api }, id, signal) => (await readPeople(api, { where: { id } }, signal)).rows[0],
  actions: (person, { context }) =>
    context.user.role === "owner"
      ? [
          ...(person.email === ""
            ? []
            : [{ label: words.sendLink, run: () => invite(context, person) }]),
          ...(person.id === context.user.id
            ? []
            : [{ label: words.setPassword, run: () => setPassword(context.api, person) }]),
          { label: words.changeFacts, run: () => changePerson(context, person) },
        ]
      : [],
  body: (person, record) =>
    html`<div class="access-cards">
      ${renderFacts(person)} ${renderGroups(person, record)}
      <console-access-card .context=${record.context} .person=${person}></console-access-card>
      ${renderParameters(person, record)}
      ${isRuledBy(record) ? renderEnds(person, record) : nothing}
    </div>`,
};

async function invite({ api }: OpenRecord["context"], person: StandingPerson): Promise<boolean> {
  await sendInvitation(api, { ...person, name: person.name ?? "" });
  return true;
}

const isRuledBy = ({ context }: OpenRecord): boolean => context.user.role === "owner";

async function addToGroup(
  { context: { api } }: OpenRecord,
  { id, groups }: StandingPerson,
): Promise<boolean> {
  const inThem = groups.map((group) => group.id);
  const picked = await pickRecord<Group>({
    title: words.addToGroup,
    label: words.searchGroups,
    none: words.noGroupFound,
    nameOf: nameOfRecord,
    read: (keyphrase) =>
      api.get<Group>("group", {
        where: { public: false, id: { notIn: inThem } },
        ...(keyphrase !== "" && { search: { keyphrase, match_types: ["name"] } }),
        order: [["name", "asc"]],
        limit: 50,
      }),
  });
  if (!picked) return false;
  await api.associate("group", picked.id, { role: "Users", id });
  return true;
}

function renderGroups(person: StandingPerson, record: OpenRecord): TemplateResult {
  const isRuled = isRuledBy(record);
  const leave = (group: Group) => () =>
    void record.change(() =>
      record.context.api.dissociate("group", group.id, { role: "Users", id: person.id }),
    );
  return html`<section class="surface access-card" aria-labelledby="person-groups">
    <div class="row">
      <h2 class="grow" id="person-groups">${words.groupsTitle}</h2>
      ${
        isRuled
          ? html`<button
              class="button"
              @click=${() => void record.change(() => addToGroup(record, person))}
            >
              ${words.addToGroup}
            </button>`
          : nothing
      }
    </div>
    ${
      person.groups.length === 0
        ? html`<p class="muted">${words.noGroups}</p>`
        : html`<ul class="access-list">
            ${person.groups.map((group) => {
              const name = nameOfRecord(group);
              return html`<li>
                <a class="grow wrap" href="/access/groups/${group.id}">${name}</a>
                ${
                  isRuled
                    ? html`<button
                        class="button quiet"
                        aria-label=${words.leaveNamed(name)}
                        @click=${leave(group)}
                      >
                        ${words.leave}
                      </button>`
                    : nothing
                }
              </li>`;
            })}
          </ul>`
    }
  </section>`;
}

function renderParameters(person: StandingPerson, record: OpenRecord): TemplateResult {
  const parameters = Object.entries(person.parameter_overrides ?? {});
  return html`<section class="surface access-card" aria-labelledby="person-parameters">
    <div class="row">
      <h2 class="grow" id="person-parameters">${words.parameters}</h2>
      ${
        isRuledBy(record)
          ? html`<button
              class="button"
              @click=${() => void record.change(() => changeParameters(record.context.api, person))}
            >
              ${words.changeParameters}
            </button>`
          : nothing
      }
    </div>
    ${
      parameters.length === 0
        ? html`<p class="muted">${words.noParameters}</p>`
        : html`<dl class="facts">
            ${parameters.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${linesOf(value)?.join(", ") ?? words.sensitive}</dd>`,
            )}
          </dl>`
    }
  </section>`;
}

function renderEnds(person: StandingPerson, { context, change }: OpenRecord): TemplateResult {
  const { api, router, user } = context;
  const remove = async () => {
    if (await removePerson(api, person)) router.go("/access/people");
    return false;
  };
  const ends = [
    { label: words.endSessions, run: () => endSessions(api, person) },
    { label: words.endTokens, run: () => endTokens(api, person) },
    ...(person.id === user.id
      ? []
      : [{ label: words.removePerson, look: "danger" as const, run: remove }]),
  ];
  return html`<section class="surface access-card" aria-labelledby="person-end">
    <h2 id="person-end">${words.end}</h2>
    <p class="muted">${words.endText}</p>
    <div class="row">${actionButtons(ends, change)}</div>
    <p class="row">
      <a href="/access/audit?user=${person.id}">${words.doneBy}</a>
      <a href="/access/audit?resource=user&record=${person.id}">${words.doneTo}</a>
    </p>
  </section>`;
}

function renderFacts(person: StandingPerson): TemplateResult {
  const { standing, suborganization, created_at: since } = person;
  const role = roleOf(person);
  const state = stateOf(standing);
  return html`<section class="surface access-card" aria-labelledby="person-facts">
    <h2 id="person-facts">${words.facts}</h2>
    <dl class="facts">
      <dt>${words.role}</dt>
      <dd>${words.roles[role]} <span class="muted small">${words.roleHints[role]}</span></dd>
      <dt>${words.suborganization}</dt>
      <dd>
        ${
          suborganization === null
            ? "–"
            : html`<a href="/access/people?suborganization=${encodeURIComponent(suborganization)}"
                >${suborganization}</a
              >`
        }
      </dd>
      <dt>${words.state}</dt>
      <dd>${words.states[state]}</dd>
      <dt>${words.lastSignIn}</dt>
      <dd>
        ${
          standing?.last_sign_in_at
            ? html`${writeInstant(standing.last_sign_in_at)}
                <span class="muted small">${writeAgo(standing.last_sign_in_at)}</span>`
            : words.never
        }
      </dd>
      <dt>${words.since}</dt>
      <dd>${writeInstant(since)}</dd>
    </dl>
  </section>`;
}
