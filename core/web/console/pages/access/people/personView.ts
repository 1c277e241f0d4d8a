import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { textOf, writeAgo, writeInstant } from "../../../language/index.ts";
import {
  backIcon,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  pickRecord,
  type ConsoleContext,
} from "../../../parts/index.ts";
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

/** One person: facts, role, groups, parameters, and how its access ends: `context`, `personId`. */
export class PersonView extends LitElement {
  static override properties = { context: { attribute: false }, personId: { attribute: false } };
  declare context: ConsoleContext;
  declare personId: string;
  private readonly person = createLoad<StandingPerson | null>(this, async (signal) => {
    const { api } = this.context;
    const { rows } = await readPeople(api, { where: { id: this.personId } }, signal);
    return rows[0] ?? null;
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("personId")) void this.person.start();
  }

  /** Carries out a change, and shows the person anew. */
  private async run(change: () => Promise<unknown>): Promise<void> {
    try {
      if ((await change()) !== false) await this.person.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async addToGroup({ id, groups }: StandingPerson): Promise<boolean> {
    const { api } = this.context;
    const inThem = groups.map((group) => group.id);
    const picked = await pickRecord<Group>({
      title: words.addToGroup,
      label: words.searchGroups,
      none: words.noGroupFound,
      nameOf: (group) => textOf(group.name) || group.id,
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

  protected override render(): TemplateResult {
    return this.person.show((person) =>
      person
        ? this.renderPerson(person)
        : html`<h1 class="visually-hidden">${words.absent}</h1>
            ${emptyState({
              title: words.absent,
              action: html`<a class="button" href="/access/people">${words.back}</a>`,
            })}`,
    );
  }

  private renderPerson(person: StandingPerson): TemplateResult {
    const isRuled = this.context.user.role === "owner";
    const isSelf = person.id === this.context.user.id;
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/people">${backIcon}${words.back}</a>
          <h1 class="wrap">${nameOf(person)}</h1>
          <p class="wrap">${person.email || "–"}</p>
        </div>
        ${
          isRuled
            ? html`<button
                class="button"
                @click=${() => void this.run(() => changePerson(this.context, person))}
              >
                ${words.changeFacts}
              </button>`
            : nothing
        }
      </header>
      <div class="access-cards">
        ${renderFacts(person)} ${this.renderGroups(person, isRuled)}
        ${this.renderParameters(person, isRuled)}
        ${isRuled ? this.renderEnds(person, isSelf) : nothing}
      </div>`;
  }

  private renderGroups(person: StandingPerson, isRuled: boolean): TemplateResult {
    const { api } = this.context;
    const leave = (group: Group) => () =>
      void this.run(() => api.dissociate("group", group.id, { role: "Users", id: person.id }));
    return html`<section class="surface access-card" aria-labelledby="person-groups">
      <div class="row">
        <h2 class="grow" id="person-groups">${words.groupsTitle}</h2>
        ${
          isRuled
            ? html`<button
                class="button"
                @click=${() => void this.run(() => this.addToGroup(person))}
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
                const name = textOf(group.name) || group.id;
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

  private renderParameters(person: StandingPerson, isRuled: boolean): TemplateResult {
    const parameters = Object.entries(person.parameter_overrides ?? {});
    return html`<section class="surface access-card" aria-labelledby="person-parameters">
      <div class="row">
        <h2 class="grow" id="person-parameters">${words.parameters}</h2>
        ${
          isRuled
            ? html`<button
                class="button"
                @click=${() => void this.run(() => changeParameters(this.context.api, person))}
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

  private renderEnds(person: StandingPerson, isSelf: boolean): TemplateResult {
    const { api, places } = this.context;
    const said = (change: Promise<boolean>, text: string) =>
      change.then((isDone) => {
        if (isDone) notify({ text });
        return isDone;
      });
    const remove = async () => {
      const isGone = await removePerson(api, person);
      if (isGone) places.go("/access/people");
      return false;
    };
    return html`<section class="surface access-card" aria-labelledby="person-end">
      <h2 id="person-end">${words.end}</h2>
      <p class="muted">${words.endText}</p>
      <div class="row">
        <button
          class="button"
          @click=${() => void this.run(() => said(endSessions(api, person), words.ended))}
        >
          ${words.endSessions}
        </button>
        <button
          class="button"
          @click=${() => void this.run(() => said(endTokens(api, person), words.ended))}
        >
          ${words.endTokens}
        </button>
        ${
          isSelf
            ? nothing
            : html`<button
                  class="button"
                  @click=${() => void this.run(() => said(setPassword(api, person), words.passwordSet))}
                >
                  ${words.setPassword}
                </button>
                <button class="button danger" @click=${() => void this.run(remove)}>
                  ${words.removePerson}
                </button>`
        }
      </div>
      <p class="row">
        <a href="/access/audit?user=${person.id}">${words.doneBy}</a>
        <a href="/access/audit?resource=user&record=${person.id}">${words.doneTo}</a>
      </p>
    </section>`;
  }
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
