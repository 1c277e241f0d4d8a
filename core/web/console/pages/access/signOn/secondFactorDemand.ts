import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { confirm, createLoad, notify, notifyFailure } from "../../../parts/index.ts";
import { words } from "./words.ts";

interface Organization {
  readonly id: string;
  readonly require_second_factor: boolean;
}

/** Shows and changes whether the organization requires a second factor after a password. Property: `api`. */
export class SecondFactorDemand extends LitElement {
  static override properties = { api: { attribute: false } };
  declare api: Api;
  private readonly demand = createLoad(this, async (signal) => {
    const [found, own] = await Promise.all([
      this.api.get<Organization>(
        "organization",
        { attributes: ["id", "require_second_factor"] },
        { signal },
      ),
      this.api.account<{ readonly factors: readonly unknown[] }>("overview"),
    ]);
    return { organization: found.rows[0], hasFactor: own.factors.length > 0 };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.demand.start());
  }

  private async toggle({ id, require_second_factor: isOn }: Organization): Promise<void> {
    const lacks = this.demand.value?.hasFactor === false;
    const isAgreed = await confirm(
      isOn
        ? { title: words.endDemand, text: words.endDemandText, action: words.endDemand }
        : {
            title: words.demand,
            text: lacks ? `${words.demandText} ${words.lackText}` : words.demandText,
            action: words.demand,
            isDangerous: lacks,
          },
    );
    if (!isAgreed) return;
    try {
      await this.api.update("organization", id, { require_second_factor: !isOn });
      notify({ text: isOn ? words.demandEnded : words.demanded });
      await this.demand.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    return this.demand.show(
      ({ organization, hasFactor }) =>
        organization
          ? html`<section class="surface second-factor" aria-labelledby="second-factor-title">
              <div class="grow">
                <h2 id="second-factor-title">
                  ${words.secondFactor}
                  <span class="badge ${organization.require_second_factor ? "good" : ""}"
                    >${organization.require_second_factor ? words.isDemanded : words.isFree}</span
                  >
                </h2>
                <p class="muted">
                  ${organization.require_second_factor ? words.demandedText : words.freeText}
                </p>
                ${
                  hasFactor
                    ? nothing
                    : html`<p>
                        ${organization.require_second_factor ? words.lackText : words.ownLack}
                        <a href="/account">${words.addYours}</a>
                      </p>`
                }
              </div>
              <button class="button" @click=${() => void this.toggle(organization)}>
                ${organization.require_second_factor ? words.endDemand : words.demand}
              </button>
            </section>`
          : html``,
      2,
    );
  }
}
