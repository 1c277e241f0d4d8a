import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { createLoad, elementOf, field, selectField, textField } from "../../../parts/index.ts";
import { pickRecord } from "../../../records/index.ts";
import { noFilter, type AuditFilter } from "./auditEvent.ts";
import { words } from "./words.ts";

interface Person {
  readonly id: string;
  readonly name: unknown;
  readonly email: string;
}

const attributes = ["id", "name", "email"];
const nameOf = ({ name, email }: Person): string => textOf(name) || email || words.deletedPerson;
const pauseMs = 250;

/** Filters of the audit. Properties: `api`, `filter`, `onChange`. */
export class AuditFilters extends LitElement {
  static override properties = { api: { attribute: false }, filter: { attribute: false } };
  declare api: Api;
  declare filter: AuditFilter;
  declare onChange: (changes: Partial<AuditFilter>) => void;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private named = "";
  private readonly person = createLoad<Person | undefined>(this, async (signal) => {
    const { user } = this.filter;
    if (user === "") return undefined;
    const find = { where: { id: user }, attributes };
    return (await this.api.get<Person>("user", find, { signal })).rows[0];
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("filter") || this.named === this.filter.user) return;
    this.named = this.filter.user;
    this.person.clear();
    void this.person.start();
  }

  private async choose(): Promise<void> {
    const picked = await pickRecord<Person>({
      title: words.chooseWho,
      label: words.searchPeople,
      none: words.nobody,
      nameOf,
      noteOf: ({ email }) => email,
      read: (keyphrase) =>
        this.api.get<Person>("user", {
          attributes,
          ...(keyphrase !== "" && { search: { keyphrase, match_types: ["name", "email"] } }),
          order: [["name", "asc"]],
          limit: 50,
        }),
    });
    if (picked) this.onChange({ user: picked.id });
  }

  /** Applies typed filters after a pause in typing. */
  private typed(changes: Partial<AuditFilter>): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.onChange(changes), pauseMs);
  }

  private day(member: "from" | "to", label: string): TemplateResult {
    return field(
      { id: `audit-${member}`, label },
      ({ id }) =>
        html`<input
          class="input"
          id=${id}
          type="date"
          .value=${this.filter[member]}
          @change=${(event: Event) =>
            this.onChange({ [member]: elementOf(event.target, HTMLInputElement).value })}
        />`,
    );
  }

  protected override render(): TemplateResult {
    const { filter } = this;
    const isFiltered = Object.values(filter).some((value) => value !== "");
    const who =
      filter.user === ""
        ? words.anyone
        : this.person.value
          ? nameOf(this.person.value)
          : words.deletedPerson;
    const listed = (labels: Readonly<Record<string, string>>) =>
      Object.entries({ "": words.any, ...labels }).map(([value, label]) => ({ value, label }));
    return html`<div class="audit-filters" role="group" aria-label=${words.filters}>
      <div class="field">
        <span class="label" id="audit-who">${words.who}</span>
        <button
          class="button truncate"
          aria-labelledby="audit-who audit-who-name"
          @click=${() => void this.choose()}
        >
          <span class="truncate" id="audit-who-name">${who}</span>
        </button>
      </div>
      ${selectField({
        id: "audit-action",
        label: words.action,
        value: filter.action,
        choices: listed(words.actions),
        onSelect: (action) => this.onChange({ action }),
      })}
      ${selectField({
        id: "audit-resource",
        label: words.resource,
        value: filter.resource,
        choices: listed(words.resources),
        onSelect: (resource) => this.onChange({ resource }),
      })}
      ${textField({
        id: "audit-record",
        label: words.record,
        placeholder: words.recordHint,
        value: filter.record,
        onInput: (record) => this.typed({ record: record.trim() }),
      })}
      ${this.day("from", words.from)} ${this.day("to", words.to)}
      ${
        isFiltered
          ? html`<button class="button quiet" @click=${() => this.onChange(noFilter)}>
              ${words.clear}
            </button>`
          : nothing
      }
    </div>`;
  }
}
