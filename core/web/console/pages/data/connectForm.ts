import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { messageOf, mistakesIn, isRecord, type Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { createLoad, emptyState, selectField, showWarnings, textField } from "../../parts/index.ts";
import { connectWords as words } from "./connectWords.ts";
import {
  accountOf,
  fieldIn,
  fieldsOf,
  nameOfProvider,
  readProviders,
  type ProviderField,
} from "./provider.ts";

/** A connection in the form in which the API returns it, without secrets. */
export interface ShownAccount extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly provider: string;
  readonly name: unknown;
}

interface Tested {
  readonly valid?: boolean;
  readonly message?: string;
  readonly validation?: Readonly<Record<string, readonly string[]>>;
  readonly auth_url?: string;
  readonly warnings?: readonly string[];
}

/**
 * The form of a connection, created from the properties of its provider. Properties: `api`, `provider`, and `account`
 * when an existing connection is edited. `onSaved` receives the id of the connection.
 */
export class ConnectForm extends LitElement {
  static override properties = {
    api: { attribute: false },
    provider: { attribute: false },
    account: { attribute: false },
    wrong: { state: true },
    tested: { state: true },
    isBusy: { state: true },
  };
  declare api: Api;
  declare provider: string;
  declare account: ShownAccount | undefined;
  declare onSaved: (id: string) => void;
  /** Error messages by field; "" for messages that name no field. */
  declare private wrong: ReadonlyMap<string, string>;
  declare private tested: Tested | undefined;
  declare private isBusy: boolean;
  private name = "";
  private readonly values = new Map<string, string>();
  private readonly loaded = createLoad(this, async (signal) => {
    const [found] = await readProviders(this.api, this.provider, { signal });
    return { provider: found, fields: found ? fieldsOf(found) : [] };
  });

  constructor() {
    super();
    this.wrong = new Map();
    this.isBusy = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("provider") && !changed.has("account")) return;
    this.values.clear();
    this.wrong = new Map();
    this.tested = undefined;
    this.name = textOf(this.account?.name);
    this.loaded.clear();
    void this.loaded.start().then(() => this.fill());
  }

  /** Fills in the values of an existing connection that the host returns. */
  private fill(): void {
    const { account } = this;
    if (!account) return;
    const properties = isRecord(account["properties"]) ? account["properties"] : {};
    for (const { id } of this.loaded.value?.fields ?? []) {
      const value = account[id] ?? properties[id];
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        this.values.set(id, String(value));
    }
    this.requestUpdate();
  }

  private get given(): Readonly<Record<string, unknown>> {
    return accountOf(this.provider, this.name.trim(), this.values);
  }

  private refuse(
    message: string,
    validation: Readonly<Record<string, readonly string[]>> = {},
  ): void {
    const fields = this.loaded.value?.fields ?? [];
    const named = Object.entries(validation);
    const found = named.filter(([id]) => fields.some((each) => each.id === id));
    this.wrong =
      found.length > 0
        ? new Map(found.map(([id, mistakes]) => [id, mistakes.join("; ")]))
        : new Map([[fieldIn(message, fields) ?? "", message]]);
  }

  /** Checks that all required fields are filled in, before the source is contacted. */
  private isComplete(): boolean {
    const missing = (this.loaded.value?.fields ?? []).filter(
      ({ id, isRequired, kind }) =>
        isRequired && !this.values.get(id) && !(this.account && kind === "password"),
    );
    this.wrong = new Map(missing.map(({ id, label }) => [id, words.required(label)]));
    const [first] = missing;
    if (first) this.querySelector<HTMLElement>(`#connect-${CSS.escape(first.id)}`)?.focus();
    return missing.length === 0;
  }

  private async attempt(run: () => Promise<void>): Promise<void> {
    if (this.isBusy || !this.isComplete()) return;
    this.isBusy = true;
    this.tested = undefined;
    try {
      await run();
    } catch (failure) {
      const mistakes = Object.entries(mistakesIn(failure));
      this.refuse(
        messageOf(failure),
        Object.fromEntries(
          mistakes.map(([member, mistake]) => [member.replace(/^properties\./, ""), [mistake]]),
        ),
      );
    }
    this.isBusy = false;
  }

  private test(): Promise<void> {
    return this.attempt(async () => {
      const { account, given } = this;
      const members = { ...(account && { id: account.id }), properties: given };
      const tested = await this.api.call<Tested>("account", "validate", members);
      if (tested.valid === false) this.refuse(tested.message ?? "", tested.validation);
      else this.tested = tested;
    });
  }

  private save(): Promise<void> {
    return this.attempt(async () => {
      const { account, given } = this;
      const answer = account
        ? await this.api.update<Tested & { readonly id: string }>("account", account.id, given)
        : await this.api.create<Tested & { readonly id: string }>("account", given);
      if (answer.auth_url !== undefined && !this.values.get("code")) this.tested = answer;
      else {
        await showWarnings(words.savedWithWarnings, account ? [] : answer.warnings);
        this.onSaved(answer.id);
      }
    });
  }

  protected override render(): TemplateResult {
    return this.loaded.show(({ provider, fields }) => {
      if (!provider) return emptyState({ title: words.noProvider });
      const first = fields.filter(({ isRequired, id }) => isRequired || isUsual(id));
      const others = fields.filter((each) => !first.includes(each));
      return html`<form
        class="connect-form stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.save();
        }}
      >
        ${textField({
          id: "connect-name",
          label: words.name,
          value: this.name,
          placeholder: nameOfProvider(provider),
          onInput: (value) => (this.name = value),
        })}
        ${first.map((each) => this.renderField(each))}
        ${
          others.length === 0
            ? nothing
            : html`<details
                ?open=${others.some(({ id }) => this.wrong.has(id) || this.values.has(id))}
              >
                <summary>${words.more}</summary>
                <div class="stack">${others.map((each) => this.renderField(each))}</div>
              </details>`
        }
        ${this.renderOutcome()}
        <div class="row">
          <button
            class="button"
            type="button"
            ?disabled=${this.isBusy}
            @click=${() => void this.test()}
          >
            ${words.test}
          </button>
          <button class="button primary" type="submit" ?disabled=${this.isBusy}>
            ${this.account ? words.saveChange : words.save}
          </button>
        </div>
      </form>`;
    });
  }

  private renderField({ id, label, kind, options, isRequired }: ProviderField): TemplateResult {
    const title = isRequired ? label : `${label} (${words.optional})`;
    const isKept = this.account !== undefined && kind === "password";
    const shared = {
      id: `connect-${id}`,
      label: title,
      hint: isKept ? words.unchanged : undefined,
      wrong: this.wrong.get(id),
      value: this.values.get(id) ?? "",
    };
    const write = (value: string) => {
      this.values.set(id, value);
      this.tested = undefined;
    };
    if (kind === "select" || kind === "boolean") {
      const given =
        kind === "select"
          ? options.map((value) => ({ value, label: value }))
          : [
              { value: "true", label: words.yes },
              { value: "false", label: words.no },
            ];
      const choices = [{ value: "", label: words.notGiven }, ...given];
      return selectField({ ...shared, choices, onSelect: write });
    }
    const type = kind === "number" ? "number" : kind === "password" ? "password" : "text";
    return textField({ ...shared, type, autocomplete: "off", onInput: write });
  }

  private renderOutcome(): TemplateResult | typeof nothing {
    const { tested, wrong } = this;
    if (this.isBusy) return html`<p role="status" class="muted">${words.testing}</p>`;
    const message = wrong.get("");
    if (message !== undefined) return html`<p class="wrong" role="alert">${message}</p>`;
    if (!tested) return nothing;
    // The address comes from the source, so it becomes a link only if it is an http or https URL.
    const address = /^https?:\/\//i.test(tested.auth_url ?? "") ? tested.auth_url : undefined;
    if (address !== undefined)
      return html`<p role="status">
        ${words.agree} <a href=${address} target="_blank" rel="noopener">${words.agreeLink}</a>
      </p>`;
    return html`<div role="status">
      <p><span class="badge good">${words.ready}</span> ${words.works}</p>
      ${(tested.warnings ?? []).map((warning) => html`<p class="muted small">${warning}</p>`)}
    </div>`;
  }
}

/** Returns whether most people fill in a field, even if the source does not require it. */
const isUsual = (id: string): boolean =>
  ["host", "port", "scope", "identifier", "token", "code"].includes(id);
