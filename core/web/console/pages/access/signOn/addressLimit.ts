import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { createLoad, notify } from "../../../parts/index.ts";
import { type BoundOrganization, changeAddresses } from "./changeAddresses.ts";
import { words } from "./words.ts";

/** Shows and changes the networks from which people of the organization may connect. Property: `api`. */
export class AddressLimit extends LitElement {
  static override properties = { api: { attribute: false } };
  declare api: Api;
  private readonly limit = createLoad(this, async (signal) => {
    const attributes = ["id", "allowed_addresses"];
    const { rows } = await this.api.get<BoundOrganization>(
      "organization",
      { attributes },
      { signal },
    );
    return { organization: rows[0] };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.limit.start());
  }

  private async change(organization: BoundOrganization): Promise<void> {
    if (!(await changeAddresses(this.api, organization))) return;
    notify({ text: words.addressesChanged });
    await this.limit.start();
  }

  protected override render(): TemplateResult {
    return this.limit.show(({ organization }) => {
      if (!organization) return html``;
      const { allowed_addresses: networks } = organization;
      return html`<section class="surface second-factor" aria-labelledby="addresses-title">
        <div class="grow">
          <h2 id="addresses-title">
            ${words.bounds}
            <span class="badge ${networks ? "good" : ""}"
              >${networks ? words.networkCount(networks.length) : words.anywhere}</span
            >
          </h2>
          <p class="muted">${networks ? words.boundText : words.anywhereText}</p>
          ${networks ? html`<p class="key-text wrap">${networks.join(", ")}</p>` : nothing}
        </div>
        <button class="button" @click=${() => void this.change(organization)}>
          ${words.changeAddresses}
        </button>
      </section>`;
    }, 2);
  }
}
