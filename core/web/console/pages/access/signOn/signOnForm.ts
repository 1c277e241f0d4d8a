import { html, LitElement, nothing, type TemplateResult } from "lit";
import { messageOf, mistakesIn, type Api } from "../../../api/index.ts";
import { define, elementOf, textField, type TextFieldOptions } from "../../../parts/index.ts";
import { ClaimsFields } from "./claimsFields.ts";
import { draftOf, type SignOnDraft } from "./signOnConfig.ts";
import { words } from "./words.ts";

/** The members of the API that the form's own fields set. The fields of claims show no messages of their own. */
const memberNames = {
  name: "name",
  issuer: "config.issuer",
  clientId: "config.client_id",
  clientSecret: "config.client_secret",
  scopes: "config.scopes",
  hours: "config.session_hours",
} as const satisfies Partial<Record<keyof SignOnDraft, string>>;
const shownMembers: readonly string[] = Object.values(memberNames);
type TextMember = keyof typeof memberNames;

/**
 * The form of a provider, which shows errors from the host. Properties: `api`, `draft`, `action`, `warning`, `save`.
 */
export class SignOnForm extends LitElement {
  static override properties = {
    api: { attribute: false },
    draft: { attribute: false },
    action: { attribute: false },
    warning: { attribute: false },
    wrong: { state: true },
    mistakes: { state: true },
    isSaving: { state: true },
  };
  declare api: Api;
  /** The provider being edited; absent for a new provider. */
  declare draft: SignOnDraft;
  /** Label of the button, a verb. */
  declare action: string;
  declare warning: string | undefined;
  declare save: (draft: SignOnDraft) => Promise<void>;
  declare private wrong: string;
  declare private mistakes: Readonly<Record<string, string>>;
  declare private isSaving: boolean;

  constructor() {
    super();
    this.draft = draftOf();
    this.wrong = "";
    this.mistakes = {};
    this.isSaving = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-claims", ClaimsFields);
  }

  private async submit(): Promise<void> {
    [this.isSaving, this.wrong, this.mistakes] = [true, "", {}];
    try {
      await this.save(this.draft);
    } catch (failure) {
      this.mistakes = mistakesIn(failure);
      const named = Object.keys(this.mistakes);
      const isShown = named.length > 0 && named.every((each) => shownMembers.includes(each));
      this.wrong = isShown ? "" : messageOf(failure);
    }
    this.isSaving = false;
  }

  private text(
    member: TextMember,
    label: string,
    more: Partial<Omit<TextFieldOptions, "id" | "label" | "value">> = {},
  ): TemplateResult {
    return textField({
      id: `sign-on-${member}`,
      label,
      value: this.draft[member],
      autocomplete: "off",
      wrong: this.mistakes[memberNames[member]],
      ...more,
      onInput: (value) => (this.draft[member] = value),
    });
  }

  private flag(member: "createUsers" | "linkByEmail", label: string): TemplateResult {
    return html`<label class="check"
      ><input
        type="checkbox"
        .checked=${this.draft[member]}
        @change=${(event: Event) =>
          (this.draft[member] = elementOf(event.target, HTMLInputElement).checked)}
      />${label}</label
    >`;
  }

  protected override render(): TemplateResult {
    const { draft } = this;
    return html`<form
      class="access-cards"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.submit();
      }}
    >
      <section class="surface access-card" aria-labelledby="sign-on-provider">
        <h2 id="sign-on-provider">${words.provider}</h2>
        ${this.text("name", words.name, { hint: words.nameHint, isRequired: true })}
        ${this.text("issuer", words.issuer, { hint: words.issuerHint, type: "url", isRequired: true })}
        ${this.text("clientId", words.clientId, { isRequired: true })}
        ${this.text("clientSecret", words.clientSecret, {
          type: "password",
          autocomplete: "new-password",
          hint: draft.hasSecret ? words.secretKept : words.secretHint,
        })}
        ${
          draft.hasSecret
            ? html`<div class="row">
                <button
                  type="button"
                  class="button quiet"
                  @click=${() => {
                    draft.hasSecret = false;
                    this.requestUpdate();
                  }}
                >
                  ${words.removeSecret}
                </button>
              </div>`
            : nothing
        }
        ${this.text("scopes", words.scopes, { hint: words.scopesHint })}
        ${this.text("hours", words.hours, { type: "number" })}
        ${this.flag("createUsers", words.createUsers)}
        ${this.flag("linkByEmail", words.linkByEmail)}
      </section>
      <console-claims class="surface access-card" .api=${this.api} .draft=${draft}></console-claims>
      <div class="row form-foot">
        ${this.wrong === "" ? nothing : html`<p class="failure grow" role="alert">${this.wrong}</p>`}
        ${this.warning === undefined ? nothing : html`<p class="muted grow">${this.warning}</p>`}
        <button class="button primary" type="submit" ?disabled=${this.isSaving}>
          ${this.action}
        </button>
      </div>
    </form>`;
  }
}
