import { html, nothing, type TemplateResult } from "lit";
import { messageOf, createPasskey } from "../../api/index.ts";
import { writeAgo } from "../../language/index.ts";
import {
  confirm,
  ConsolePage,
  createLoad,
  notify,
  notifyFailure,
  textField,
} from "../../parts/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import type { Added, Factor, Overview } from "./account.ts";
import { addApp } from "./addApp.ts";
import { createSignIns } from "./signIns.ts";
import { showCodes } from "./showCodes.ts";
import { signInAgain } from "./signInAgain.ts";
import { accountStyles } from "./styles.ts";
import { words } from "./words.ts";

/** The Account page: password, second factors, sessions and sign-ins of the reader. */
export class AccountPage extends ConsolePage {
  private readonly overview = createLoad(this, () =>
    this.context.api.account<Overview>("overview"),
  );
  private readonly signIns = createSignIns(this, () => this.context.api);
  private readonly passwords = { old: "", fresh: "", wrong: "" };

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(accountStyles);
    this.nameWindow(words.title);
    void this.updateComplete.then(() => this.load());
  }

  private async load(): Promise<void> {
    await this.overview.start();
    if (this.overview.value?.must_add === false) await this.signIns.start();
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  /** Runs an action that requires a recent sign-in. First checks whether the reader must sign in again. */
  private readonly freshly = (work: () => Promise<void>): void =>
    void this.attempt(async () => {
      const { api, user } = this.context;
      const overview = await api.account<Overview>("overview");
      if (!overview.is_fresh && !(await signInAgain(api, user, overview))) return;
      await work();
    });

  private async added(added: Added | undefined): Promise<void> {
    if (added?.recovery_codes) await showCodes(added.recovery_codes, true);
    if (added) await this.load();
  }

  private readonly addPasskey = () =>
    this.freshly(async () => this.added(await createPasskey<Added>(this.context.api, words.key)));

  private removeFactor({ id, name }: Factor): void {
    this.freshly(async () => {
      const { removeTitle, removeText: text, remove: action } = words;
      if (!(await confirm({ title: removeTitle(name), text, action, isDangerous: true }))) return;
      await this.context.api.account("factors/remove", { id });
      notify({ text: words.removed });
      await this.load();
    });
  }

  private async changePassword(event: Event): Promise<void> {
    event.preventDefault();
    const { passwords } = this;
    const { api, user } = this.context;
    const given = passwords.old ? { old_password: passwords.old } : {};
    try {
      await api.update("user", user.id, { password: passwords.fresh, ...given });
      Object.assign(passwords, { old: "", fresh: "", wrong: "" });
      notify({ text: words.passwordChanged });
      await this.load();
    } catch (failure) {
      passwords.wrong = messageOf(failure);
      this.requestUpdate();
    }
  }

  private renderPassword({ has_password: hasPassword }: Overview): TemplateResult {
    const { passwords } = this;
    return html`<section class="surface" aria-labelledby="account-password">
      <h2 id="account-password">${words.password}</h2>
      <form @submit=${(event: Event) => this.changePassword(event)}>
        ${
          hasPassword
            ? textField({
                id: "old-password",
                label: words.oldPassword,
                type: "password",
                autocomplete: "current-password",
                isRequired: true,
                value: passwords.old,
                onInput: (value) => (passwords.old = value),
              })
            : nothing
        }
        ${textField({ id: "new-password", label: words.newPassword, hint: words.passwordText, wrong: passwords.wrong, type: "password", autocomplete: "new-password", isRequired: true, value: passwords.fresh, onInput: (value) => (passwords.fresh = value) })}
        <button class="button">${hasPassword ? words.changePassword : words.setPassword}</button>
      </form>
    </section>`;
  }

  private renderFactor(factor: Factor): TemplateResult {
    const { type, name, created_at: created, last_used_at: used } = factor;
    const lastUsed = used ? words.used(writeAgo(used)) : words.neverUsed;
    return html`<li>
      <div>
        <div>${name} <span class="badge">${words.types[type]}</span></div>
        <div class="small muted">${words.added(writeAgo(created))}, ${lastUsed}</div>
      </div>
      <button
        class="button"
        aria-label=${words.removeThis(name)}
        @click=${() => this.removeFactor(factor)}
      >
        ${words.remove}
      </button>
    </li>`;
  }

  private renderFactors(overview: Overview): TemplateResult {
    const { factors, recovery_code_count: count, offers_passkeys: offersPasskeys } = overview;
    return html`<section class="surface" aria-labelledby="account-factors">
      <h2 id="account-factors">${words.factors}</h2>
      ${
        factors.length === 0
          ? html`<p class="muted">
              ${overview.has_password ? words.noFactors : words.noFactorsOrPassword}
            </p>`
          : html`<ul>
              ${factors.map((factor) => this.renderFactor(factor))}
            </ul>`
      }
      <div class="row">
        <button
          class="button"
          @click=${() => this.freshly(async () => this.added(await addApp(this.context.api)))}
        >
          ${words.addApp}
        </button>
        <button class="button" ?disabled=${!offersPasskeys} @click=${this.addPasskey}>
          ${words.addPasskey}
        </button>
      </div>
      ${offersPasskeys ? nothing : html`<p class="small muted">${words.passkeysAway}</p>`}
      ${
        factors.length === 0
          ? nothing
          : html`<div class="row">
              <span class="grow">${words.codesLeft(count)}</span>
              <button class="button" @click=${this.makeCodes}>${words.newCodes}</button>
            </div>`
      }
    </section>`;
  }

  private readonly makeCodes = () =>
    this.freshly(async () => {
      const { api } = this.context;
      const made = await api.account<{ recovery_codes: readonly string[] }>("recovery-codes");
      await showCodes(made.recovery_codes, false);
      await this.load();
    });

  protected override render(): TemplateResult {
    const { name, email } = this.context.user;
    return html`<div class="page account">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${[name, email].filter(Boolean).join(" · ")}</p>
        </div>
      </header>
      ${this.overview.show((overview) =>
        overview.must_add
          ? html`<p role="status">${words.mustAdd}</p>
              ${this.renderFactors(overview)}`
          : html`${this.renderFactors(overview)} ${this.renderPassword(overview)}
            ${this.signIns.render()}`,
      )}
    </div>`;
  }
}
