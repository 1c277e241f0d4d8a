import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { textOf } from "../../../language/index.ts";
import {
  backIcon,
  confirm,
  copyText,
  createLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../../parts/index.ts";
import { makeScimToken } from "./makeScimToken.ts";
import {
  configOf,
  draftOf,
  readConfigs,
  type Draft,
  type Explained,
  type SignOnConfig,
  type Tested,
} from "./signOnConfig.ts";
import { SignOnForm } from "./signOnForm.ts";
import { testResult } from "./testResult.ts";
import { words } from "./words.ts";

interface Shown {
  readonly stored: SignOnConfig;
  readonly explained: Explained;
  readonly draft: Draft;
}

/** One provider: its addresses, the test, the form, SCIM, and its end: `context`, `configId`. */
export class SignOnView extends LitElement {
  static override properties = { context: { attribute: false }, configId: { attribute: false } };
  declare context: ConsoleContext;
  declare configId: string;
  private readonly config = createLoad<Shown | null>(this, async (signal) => {
    const { api } = this.context;
    const id = this.configId;
    const [stored] = (await readConfigs(api, { where: { id } }, signal)).rows;
    if (!stored) return null;
    const explained = await api.call<Explained>("ssoconfig", "explain", { id }, { signal });
    return { stored, explained, draft: draftOf(stored, textOf(stored.name)) };
  });
  private readonly tested = createLoad<Tested>(this, (signal) =>
    this.context.api.call<Tested>("ssoconfig", "test", { id: this.configId }, { signal }),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-sign-on-form", SignOnForm);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("configId")) void this.config.start();
  }

  private async run(change: () => Promise<boolean>): Promise<void> {
    try {
      if (await change()) await this.config.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async save({ stored, draft }: Shown): Promise<void> {
    const properties = { name: draft.name.trim(), config: configOf(draft) };
    await this.context.api.update("ssoconfig", stored.id, properties);
    notify({ text: words.saved });
    this.tested.clear();
    await this.config.start();
  }

  private async toggle({ stored, explained }: Shown): Promise<boolean> {
    const { active, id } = stored;
    const text = words.switchOffText(explained.session_count);
    const [title, action] = [words.switchOff, words.switchOff];
    if (active && !(await confirm({ title, text, action, isDangerous: true }))) return false;
    await this.context.api.update("ssoconfig", id, { active: !active });
    return true;
  }

  private async delete({ stored, explained }: Shown): Promise<boolean> {
    const { api, places } = this.context;
    const name = textOf(stored.name) || stored.id;
    const isAgreed = await confirm({
      title: words.removeTitle(name),
      text: words.removeText(explained.user_count, explained.session_count),
      action: words.removeProvider,
      isDangerous: true,
    });
    if (!isAgreed) return false;
    await api.remove("ssoconfig", stored.id);
    notify({ text: words.removed(name) });
    places.go("/access/signon");
    return false;
  }

  protected override render(): TemplateResult {
    return this.config.show((shown) =>
      shown
        ? this.renderConfig(shown)
        : html`<h1 class="visually-hidden">${words.absent}</h1>
            ${emptyState({
              title: words.absent,
              action: html`<a class="button" href="/access/signon">${words.back}</a>`,
            })}`,
    );
  }

  private renderConfig(shown: Shown): TemplateResult {
    const { stored, explained, draft } = shown;
    const { active, type } = stored;
    const isServed = type === "openid";
    const { session_count: sessions } = explained;
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/signon">${backIcon}${words.back}</a>
          <h1 class="wrap">
            ${textOf(stored.name) || stored.id}
            <span class="badge ${active && isServed ? "good" : ""}"
              >${isServed ? (active ? words.active : words.inactive) : words.unserved}</span
            >
          </h1>
          <p>${words.depends(explained.user_count, sessions)}</p>
        </div>
        ${
          isServed
            ? html`<button class="button" @click=${() => void this.tested.start()}>
                  ${words.test}
                </button>
                <button
                  class="button ${active ? "" : "primary"}"
                  @click=${() => void this.run(() => this.toggle(shown))}
                >
                  ${active ? words.switchOff : words.switchOn}
                </button>`
            : nothing
        }
        <button class="button danger" @click=${() => void this.run(() => this.delete(shown))}>
          ${words.removeProvider}
        </button>
      </header>
      ${this.renderTest()}
      ${
        isServed
          ? html`${renderAddresses(explained)} ${this.renderScim(shown)}
              <console-sign-on-form
                .api=${this.context.api}
                .draft=${draft}
                .action=${words.save}
                .warning=${sessions > 0 ? words.savingEnds(sessions) : undefined}
                .save=${() => this.save(shown)}
              ></console-sign-on-form>`
          : html`<p class="muted">${words.onlyOpenid}</p>`
      }`;
  }

  private renderTest(): TemplateResult {
    const { tested } = this;
    if (tested.isLoading) return html`<p role="status">${words.testing}</p>`;
    if (tested.failure === undefined && tested.value === undefined) return html``;
    return tested.show(testResult);
  }

  private renderScim({ stored, explained, draft }: Shown): TemplateResult {
    const { api } = this.context;
    const { provisioned_user_count: users, provisioned_group_count: groups } = explained;
    return html`<section class="surface access-card" aria-labelledby="scim-title">
      <h2 id="scim-title">${words.provisioning}</h2>
      <p class="muted">${words.provisioningText} ${words.provisioned(users, groups)}</p>
      ${renderAddress(words.scim, explained.scim_url)}
      <div class="row">
        <button
          class="button"
          @click=${() => void this.run(() => makeScimToken(api, stored.id, draft.hasScimToken))}
        >
          ${draft.hasScimToken ? words.renewToken : words.makeToken}
        </button>
        ${
          draft.hasScimToken
            ? html`<button
                class="button danger"
                @click=${() => void this.run(() => removeScimToken(this.context, stored))}
              >
                ${words.removeToken}
              </button>`
            : nothing
        }
      </div>
    </section>`;
  }
}

async function removeScimToken(
  { api }: Pick<ConsoleContext, "api">,
  stored: SignOnConfig,
): Promise<boolean> {
  const [title, text] = [words.removeToken, words.removeTokenText];
  if (!(await confirm({ title, text, action: words.removeToken, isDangerous: true }))) return false;
  const config = configOf({ ...draftOf(stored), hasScimToken: false });
  await api.update("ssoconfig", stored.id, { config });
  return true;
}

function renderAddresses({ redirect_url: redirect, sign_on_url: signOn }: Explained) {
  return html`<section class="surface access-card" aria-labelledby="sign-on-addresses">
    <h2 id="sign-on-addresses">${words.addresses}</h2>
    ${renderAddress(words.redirect, redirect)} ${renderAddress(words.signOn, signOn)}
  </section>`;
}

function renderAddress(label: string, address: string): TemplateResult {
  return html`<div class="address">
    <span class="muted small">${label}</span>
    <span class="grow wrap key-text">${address}</span>
    <button
      class="button quiet"
      aria-label=${words.copyNamed(label)}
      @click=${() => void copyText(address)}
    >
      ${words.copy}
    </button>
  </div>`;
}
