import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import type { Router } from "../../navigation/index.ts";
import { createLoad, emptyState } from "../../parts/index.ts";
import { connectWords as words } from "./connectWords.ts";
import { nameOfProvider, readProviders, type Provider } from "./provider.ts";

/**
 * Lets the reader choose a source to connect, and shows its form. Properties: `api`, `router`, and `provider` once the
 * reader has chosen a source.
 */
export class ConnectView extends LitElement {
  static override properties = {
    api: { attribute: false },
    router: { attribute: false },
    provider: { attribute: false },
  };
  declare api: Api;
  declare router: Router;
  declare provider: string | undefined;
  private readonly providers = createLoad(this, (signal) =>
    readProviders(this.api, undefined, { signal }),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("api")) void this.providers.start();
  }

  protected override render(): TemplateResult {
    const { provider } = this;
    return html`<div class="page narrow">
      ${this.providers.show((all) => {
        const chosen = all.find((each) => each.provider === provider);
        return html`<header class="page-head">
            <div>
              <h1>${chosen ? words.titleOf(nameOfProvider(chosen)) : words.choose}</h1>
              <p>${words.chooseText}</p>
            </div>
            <a class="button" href=${provider === undefined ? "/data" : "/data/connect"}
              >${provider === undefined ? words.back : words.choose}</a
            >
          </header>
          ${
            provider === undefined
              ? all.length === 0
                ? emptyState({ title: words.noProvider })
                : html`${this.renderGroup(words.connectors, all, "connector")}
                  ${this.renderGroup(words.plugins, all, "plugin")}`
              : html`<console-connect-form
                  .api=${this.api}
                  .provider=${provider}
                  .onSaved=${(id: string) => this.router.go(`/data/connections/${id}`)}
                ></console-connect-form>`
          }`;
      })}
    </div>`;
  }

  private renderGroup(
    title: string,
    all: readonly Provider[],
    kind: Provider["kind"],
  ): TemplateResult | typeof nothing {
    const own = all.filter((each) => each.kind === kind);
    if (own.length === 0) return nothing;
    return html`<section class="stack" aria-label=${title}>
      <h2>${title}</h2>
      <ul class="sources">
        ${own.map(
          (each) =>
            html`<li>
              <a class="surface" href="/data/connect/${encodeURIComponent(each.provider)}"
                >${nameOfProvider(each)}</a
              >
            </li>`,
        )}
      </ul>
    </section>`;
  }
}
