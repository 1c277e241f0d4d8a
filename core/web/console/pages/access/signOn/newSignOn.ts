import { html, LitElement, type TemplateResult } from "lit";
import { backIcon, define, type ConsoleContext } from "../../../parts/index.ts";
import { configOf, draftOf, type Draft } from "./signOnConfig.ts";
import { SignOnForm } from "./signOnForm.ts";
import { words } from "./words.ts";

/** A new provider, which is made without being active: `context`. */
export class NewSignOn extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: ConsoleContext;
  private readonly draft: Draft = draftOf();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-sign-on-form", SignOnForm);
  }

  private async create(draft: Draft): Promise<void> {
    const { api, places } = this.context;
    const made = await api.create<{ readonly id: string }>("ssoconfig", {
      name: draft.name.trim(),
      type: "openid",
      active: false,
      config: configOf(draft),
    });
    places.go(`/access/signon/${made.id}`);
  }

  protected override render(): TemplateResult {
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/signon">${backIcon}${words.back}</a>
          <h1>${words.newTitle}</h1>
          <p>${words.newText}</p>
        </div>
      </header>
      <console-sign-on-form
        .api=${this.context.api}
        .draft=${this.draft}
        .action=${words.create}
        .save=${(draft: Draft) => this.create(draft)}
      ></console-sign-on-form>`;
  }
}
