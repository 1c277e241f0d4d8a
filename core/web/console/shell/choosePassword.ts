import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ApiFailure, messageOf, type Api, type SignedInUser } from "../api/index.ts";
import { isolated } from "../language/index.ts";
import { createLoad, mark, textField } from "../parts/index.ts";
import { words } from "./words.ts";

interface Linked {
  readonly kind: "invitation" | "password";
  readonly email: string;
  readonly name: string | null;
}

/**
 * The form in which a person chooses a password with a one-time link. Then signs the person in; a person with a second
 * factor continues with the sign-in form. Properties: `api`, `link`, `onSignedIn` and `onLeave`.
 */
export class ChoosePassword extends LitElement {
  static override properties = {
    api: { attribute: false },
    link: { attribute: false },
    failure: { state: true },
    isBusy: { state: true },
  };
  declare api: Api;
  declare link: string;
  declare onSignedIn: (user: SignedInUser) => void;
  /** Called with a notice for the sign-in form. */
  declare onLeave: (notice?: string) => void;
  declare private failure: string | undefined;
  declare private isBusy: boolean;
  private password = "";
  private readonly linked = createLoad(this, () =>
    this.api.passwordLink<Linked>("look", { link: this.link }),
  );

  constructor() {
    super();
    this.isBusy = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${words.choosePassword} · Manifold`;
    void this.updateComplete
      .then(() => this.linked.start())
      .then(() => this.updateComplete)
      .then(() => this.querySelector<HTMLElement>("#new-password")?.focus());
  }

  private async submit(event: Event, email: string): Promise<void> {
    event.preventDefault();
    if (this.isBusy) return;
    [this.isBusy, this.failure] = [true, undefined];
    const { api, link, password } = this;
    try {
      await api.passwordLink("use", { link, password });
    } catch (failure) {
      [this.isBusy, this.failure] = [false, messageOf(failure)];
      return;
    }
    try {
      this.onSignedIn(await api.signIn({ email, password }));
    } catch {
      this.onLeave(words.passwordChosen);
    }
  }

  protected override render(): TemplateResult {
    const { linked } = this;
    const isInvalid = linked.failure instanceof ApiFailure && linked.failure.status === 401;
    return html`<main class="sign-in">
      <div class="brand">
        ${mark}
        <h1>${words.choosePassword}</h1>
      </div>
      ${
        isInvalid
          ? html`<p>${words.passwordLinkUsed}</p>
              <button class="button" @click=${() => this.onLeave()}>${words.toSignIn}</button>`
          : linked.show((found) => this.renderForm(found), 3)
      }
    </main>`;
  }

  private renderForm({ kind, email, name }: Linked): TemplateResult {
    const called = isolated(name || email);
    return html`<p>
        ${kind === "invitation" ? words.welcome(called) : words.newPasswordFor(called)}
      </p>
      <form class="surface" @submit=${(event: Event) => void this.submit(event, email)}>
        <div class="stack">
          ${textField({
            id: "new-email",
            label: words.email,
            type: "email",
            autocomplete: "username",
            value: email,
            onInput: () => this.requestUpdate(),
          })}
          ${textField({
            id: "new-password",
            label: words.newPassword,
            hint: words.newPasswordHint,
            type: "password",
            autocomplete: "new-password",
            isRequired: true,
            value: this.password,
            onInput: (value) => {
              this.password = value;
            },
          })}
        </div>
        ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
        <button class="button primary" ?disabled=${this.isBusy}>${words.savePassword}</button>
      </form>`;
  }
}
