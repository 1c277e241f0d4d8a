import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { searchOf, type Api } from "../../../api/index.ts";
import { createLoad, elementOf, textField } from "../../../parts/index.ts";
import { nameOfRecord, pickRecord } from "../../../records/index.ts";
import type { SignOnDraft, Meaning } from "./signOnConfig.ts";
import { words } from "./words.ts";

interface Group {
  readonly id: string;
  readonly name: unknown;
}

/**
 * Fields for the values that claims determine: role, groups, suborganization and parameters. Properties: `api`,
 * `draft`.
 */
export class ClaimsFields extends LitElement {
  static override properties = { api: { attribute: false }, draft: { attribute: false } };
  declare api: Api;
  declare draft: SignOnDraft;
  /** Names of the mapped groups by id. */
  private readonly groups = createLoad<ReadonlyMap<string, string>>(this, async (signal) => {
    const ids = this.draft.groupValues.map(({ means }) => means);
    if (ids.length === 0) return new Map();
    const find = { where: { id: ids }, attributes: ["id", "name"], limit: ids.length };
    const { rows } = await this.api.get<Group>("group", find, { signal });
    return new Map(rows.map((row) => [row.id, nameOfRecord(row)]));
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("draft")) void this.groups.start();
  }

  private async chooseGroup(meaning: Meaning): Promise<void> {
    const picked = await pickRecord<Group>({
      title: words.chooseGroup,
      label: words.searchGroups,
      none: words.noGroup,
      nameOf: nameOfRecord,
      read: (search) =>
        this.api.get<Group>("group", {
          where: { public: false },
          attributes: ["id", "name"],
          ...searchOf(search),
          order: [["name", "asc"]],
          limit: 50,
        }),
    });
    if (!picked) return;
    meaning.means = picked.id;
    await this.groups.start();
  }

  private text(
    member: "externalClaim" | "suborganizationClaim" | "roleClaim" | "groupsClaim",
    label: string,
    hint?: string,
  ): TemplateResult {
    return textField({
      id: `sign-on-${member}`,
      label,
      hint,
      value: this.draft[member],
      autocomplete: "off",
      onInput: (value) => (this.draft[member] = value),
    });
  }

  private line(
    id: string,
    value: string,
    label: string,
    onInput: (value: string) => void,
  ): TemplateResult {
    return html`<input
      class="input"
      id=${id}
      aria-label=${label}
      placeholder=${label}
      .value=${value}
      @input=${(event: Event) => onInput(elementOf(event.target, HTMLInputElement).value)}
    />`;
  }

  private removal<Entry>(list: Entry[], entry: Entry, name: string): TemplateResult {
    return html`<button
      type="button"
      class="button quiet"
      aria-label=${words.removeValue(name)}
      @click=${() => {
        list.splice(list.indexOf(entry), 1);
        this.requestUpdate();
      }}
    >
      ${words.remove}
    </button>`;
  }

  private addition(label: string, add: () => void): TemplateResult {
    return html`<div class="row">
      <button
        type="button"
        class="button"
        @click=${() => {
          add();
          this.requestUpdate();
        }}
      >
        ${label}
      </button>
    </div>`;
  }

  protected override render(): TemplateResult {
    const { draft } = this;
    const { roleValues, groupValues, parameters } = draft;
    return html`<h2>${words.claims}</h2>
      <p class="muted">${words.claimsText}</p>
      ${this.text("suborganizationClaim", words.suborganizationClaim, words.suborganizationHint)}
      ${this.text("roleClaim", words.roleClaim)}
      ${roleValues.map(
        (each, at) =>
          html`<div class="mapping">
            ${this.line(`role-value-${at}`, each.value, words.value, (value) => (each.value = value))}
            <select
              class="input"
              aria-label=${words.role}
              @change=${(event: Event) =>
                (each.means = elementOf(event.target, HTMLSelectElement).value)}
            >
              ${Object.entries(words.roles).map(
                ([role, label]) =>
                  html`<option value=${role} ?selected=${each.means === role}>${label}</option>`,
              )}
            </select>
            ${this.removal(roleValues, each, each.value || words.role)}
          </div>`,
      )}
      ${this.addition(`${words.addValue}: ${words.role}`, () =>
        roleValues.push({ value: "", means: "editor" }),
      )}
      ${this.text("groupsClaim", words.groupsClaim, words.groupsHint)}
      ${groupValues.map(
        (each, at) =>
          html`<div class="mapping">
            ${this.line(`group-value-${at}`, each.value, words.value, (value) => (each.value = value))}
            <button
              type="button"
              class="button truncate"
              @click=${() => void this.chooseGroup(each)}
            >
              <span class="truncate"
                >${
                  each.means === ""
                    ? words.chooseGroup
                    : (this.groups.value?.get(each.means) ?? each.means)
                }</span
              >
            </button>
            ${this.removal(groupValues, each, each.value || words.group)}
          </div>`,
      )}
      ${this.addition(`${words.addValue}: ${words.group}`, () =>
        groupValues.push({ value: "", means: "" }),
      )}
      <h3>${words.parameters}</h3>
      ${parameters.map(
        (each, at) =>
          html`<div class="mapping">
            ${this.line(`parameter-${at}`, each.name, words.parameter, (value) => (each.name = value))}
            ${this.line(`claim-${at}`, each.claim, words.claim, (value) => (each.claim = value))}
            ${this.removal(parameters, each, each.name || words.parameter)}
            <label class="check"
              ><input
                type="checkbox"
                .checked=${each.isList}
                @change=${(event: Event) =>
                  (each.isList = elementOf(event.target, HTMLInputElement).checked)}
              />${words.list}</label
            >
          </div>`,
      )}
      ${this.addition(words.addParameter, () =>
        parameters.push({ name: "", claim: "", isList: false }),
      )}
      ${this.text("externalClaim", words.externalClaim, words.externalHint)}`;
  }
}
