import { html, LitElement, nothing, type TemplateResult } from "lit";
import {
  messageOf,
  ApiFailure,
  hasPasskeys,
  usePasskey,
  type Api,
  type SignedInUser,
  type SignOnChoice,
} from "../api/index.ts";
import { textOf } from "../language/index.ts";
import { tabs, textField, mark } from "../parts/index.ts";
import { words } from "./words.ts";

type Way = "password" | "pair";

/** The tabs in their order on a host whose users have passwords or a provider. */
const usualWays: readonly Way[] = ["password", "pair"];

/**
 * The sign-in form, for an e-mail address with a password or for a key pair. The key pair comes first while no user has
 * a password. Properties: `api`, `onSignedIn`, and
 * `notice` for the reason why the form is shown.
 */
export class SignIn extends LitElement {
  static override properties = {
    notice: { attribute: false },
    ways: { state: true },
    way: { state: true },
    failure: { state: true },
    isBusy: { state: true },
    choices: { state: true },
    needsCode: { state: true },
    isWaiting: { state: true },
    mailsLinks: { state: true },
    forgotten: { state: true },
  };
  declare api: Api;
  declare onSignedIn: (user: SignedInUser) => void;
  declare notice: string | undefined;
  /** The tabs in their order; empty until the host has answered. */
  declare private ways: readonly Way[];
  declare private way: Way;
  declare private failure: string | undefined;
  declare private isBusy: boolean;
  declare private choices: readonly SignOnChoice[];
  /** Whether the password was correct and its user must enter a second factor. */
  declare private needsCode: boolean;
  /** Whether too many wrong attempts currently block new devices. A recovery code still lets the user sign in. */
  declare private isWaiting: boolean;
  /** Whether the host mails links to people who forgot their password. */
  declare private mailsLinks: boolean;
  /** Whether the reader asks for a link, and whether it was requested. */
  declare private forgotten: "no" | "asking" | "sent";
  private readonly values = { email: "", password: "", code: "", key: "", token: "" };

  constructor() {
    super();
    this.ways = [];
    this.way = "password";
    this.isBusy = false;
    this.choices = [];
    this.needsCode = false;
    this.isWaiting = false;
    this.mailsLinks = false;
    this.forgotten = "no";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${words.signIn} · Manifold`;
    void this.offer();
  }

  /** Fetches the ways to sign in, then shows the form. If this fails, people can still sign in with a password. */
  private async offer(): Promise<void> {
    let ways = usualWays;
    try {
      const { choices, hasPasswords, mailsPasswordLinks } = await this.api.signInWays();
      this.choices = choices;
      this.mailsLinks = mailsPasswordLinks;
      if (!hasPasswords && choices.length === 0) ways = usualWays.toReversed();
    } catch (failure) {
      this.failure = failure instanceof ApiFailure ? failure.message : String(failure);
    }
    this.ways = ways;
    this.way = ways[0] ?? "password";
    await this.updateComplete;
    this.querySelector<HTMLElement>("form input")?.focus();
  }

  /** Renders the button of a provider. After the sign-in, the browser returns to the current address. */
  private choice({ id, name }: SignOnChoice): TemplateResult {
    const { pathname, search } = window.location;
    const query = new URLSearchParams({ return_to: pathname + search });
    return html`<a class="button" href="/auth/sso/${id}?${query.toString()}"
      >${words.signOnBy(textOf(name) || id)}</a
    >`;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const { email, password, code, key, token } = this.values;
    const byPassword = {
      email,
      password,
      ...((this.needsCode || this.isWaiting) && code && { code }),
    };
    const given = this.way === "password" ? byPassword : { key, token };
    await this.enter(() => this.api.signIn(given));
  }

  private async enter(signIn: () => Promise<SignedInUser>): Promise<void> {
    [this.isBusy, this.failure] = [true, undefined];
    try {
      this.onSignedIn(await signIn());
    } catch (failure) {
      if (failure instanceof ApiFailure && failure.code === "SECOND_FACTOR_REQUIRED") {
        this.needsCode = true;
        await this.updateComplete;
        this.querySelector<HTMLElement>("#code")?.focus();
        return;
      }
      this.isWaiting ||= failure instanceof ApiFailure && failure.code === "SIGN_INS_TOO_MANY";
      this.failure = messageOf(failure);
    } finally {
      this.isBusy = false;
    }
  }

  /** Requests a link to choose a new password. The answer is the same for every address. */
  private async requestLink(event: Event): Promise<void> {
    event.preventDefault();
    [this.isBusy, this.failure] = [true, undefined];
    try {
      await this.api.passwordLink("request", { email: this.values.email });
      this.forgotten = "sent";
    } catch (failure) {
      this.failure = messageOf(failure);
    } finally {
      this.isBusy = false;
    }
  }

  private async forget(forgotten: SignIn["forgotten"]): Promise<void> {
    [this.forgotten, this.failure] = [forgotten, undefined];
    await this.updateComplete;
    this.querySelector<HTMLElement>("form input")?.focus();
  }

  private field(
    id: keyof SignIn["values"],
    label: string,
    type: "text" | "password" | "email",
    autocomplete: string,
    hint?: string,
    isRequired = true,
  ): TemplateResult {
    return textField({
      id,
      label,
      type,
      autocomplete,
      hint,
      isRequired,
      value: this.values[id],
      onInput: (value) => {
        this.values[id] = value;
      },
    });
  }

  protected override render(): TemplateResult {
    return html`<main class="sign-in">
      <div class="brand">
        ${mark}
        <h1>${words.signInTitle}</h1>
      </div>
      ${this.notice ? html`<p class="muted" role="status">${this.notice}</p>` : nothing}
      ${this.ways.length === 0 ? nothing : this.form()}
      ${
        hasPasskeys()
          ? html`<button
              class="button"
              ?disabled=${this.isBusy}
              @click=${() => this.enter(() => usePasskey(this.api))}
            >
              ${words.passkey}
            </button>`
          : nothing
      }
      ${
        this.choices.length === 0
          ? nothing
          : html`<nav class="stack" aria-label=${words.signOn}>
              ${this.choices.map((each) => this.choice(each))}
            </nav>`
      }
    </main>`;
  }

  private form(): TemplateResult {
    const isPair = this.way === "pair";
    if (this.forgotten !== "no") return this.forgottenForm();
    return html`<form class="surface" @submit=${(event: Event) => this.submit(event)}>
      ${tabs({
        label: words.signIn,
        selected: this.way,
        items: this.ways.map((id) => ({
          id,
          label: id === "pair" ? words.byPair : words.byPassword,
        })),
        onSelect: (id) => {
          this.way = id === "pair" ? "pair" : "password";
          this.failure = undefined;
        },
      })}
      <div class="stack" role="tabpanel" id="panel-${this.way}" aria-labelledby="tab-${this.way}">
        ${
          isPair
            ? html`${this.field("key", words.key, "text", "off", words.pairHint)}
              ${this.field("token", words.token, "password", "off")}`
            : html`${this.field("email", words.email, "email", "username")}
              ${this.field("password", words.password, "password", "current-password")}
              ${
                this.needsCode
                  ? this.field("code", words.code, "text", "one-time-code", words.codeHint)
                  : this.isWaiting
                    ? this.field("code", words.recoveryCode, "text", "off", undefined, false)
                    : nothing
              }`
        }
      </div>
      ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
      <button class="button primary" ?disabled=${this.isBusy}>
        ${this.isBusy ? words.signingIn : words.signIn}
      </button>
      ${
        isPair
          ? nothing
          : html`<button
              type="button"
              class="button quiet"
              @click=${() => void this.forget("asking")}
            >
              ${words.forgot}
            </button>`
      }
    </form>`;
  }

  private forgottenForm(): TemplateResult {
    const isAsking = this.mailsLinks && this.forgotten === "asking";
    return html`<form class="surface" @submit=${(event: Event) => void this.requestLink(event)}>
      <h2>${words.forgot}</h2>
      <p role="status">
        ${!this.mailsLinks ? words.forgotNoMail : isAsking ? words.forgotText : words.linkSent}
      </p>
      ${isAsking ? this.field("email", words.email, "email", "username") : nothing}
      ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
      ${
        isAsking
          ? html`<button class="button primary" ?disabled=${this.isBusy}>${words.sendLink}</button>`
          : nothing
      }
      <button type="button" class="button quiet" @click=${() => void this.forget("no")}>
        ${words.toSignIn}
      </button>
    </form>`;
  }
}
