import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isList, isRecord } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import {
  askText,
  backIcon,
  confirm,
  createLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../../parts/index.ts";
import { MembersList, SharesList, type Holder } from "../shares/index.ts";
import { words } from "./words.ts";

export interface Integration {
  readonly id: string;
  readonly name: unknown;
  readonly user_id: string;
  readonly created_at: string;
  /** Null for a reader who does not see the owner. */
  readonly owner: unknown;
}

/** The name of the owner; "" where the reader does not see it. */
export function ownerOf({ owner }: Integration): string {
  return isRecord(owner) ? textOf(owner["name"]) || textOf(owner["email"]) : "";
}

const include = (userId: string) => [
  { model: "User", as: "Owner", attributes: ["id", "name", "email"] },
  { model: "User", as: "Users", attributes: ["id"], where: { id: userId } },
];

interface Shown extends Integration {
  readonly isRuled: boolean;
}

/** One integration: what is shared with it, and for whom: `context`, `integrationId`. */
export class IntegrationView extends LitElement {
  static override properties = {
    context: { attribute: false },
    integrationId: { attribute: false },
  };
  declare context: ConsoleContext;
  declare integrationId: string;
  private readonly integration = createLoad<Shown | null>(this, async (signal) => {
    const { api, user } = this.context;
    const { rows } = await api.get<Integration & { readonly users: unknown }>(
      "integration",
      { where: { id: this.integrationId }, include: include(user.id) },
      { signal },
    );
    const [row] = rows;
    if (!row) return null;
    const [me] = isList(row.users) ? row.users : [];
    const link = isRecord(me) && isRecord(me["integrationUser"]) ? me["integrationUser"] : {};
    return { ...row, isRuled: row.user_id === user.id || link["flagOwn"] === true };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-members", MembersList);
    define("console-shares", SharesList);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("integrationId")) void this.integration.start();
  }

  private async rename({ id, name }: Integration): Promise<void> {
    const isSaved = await askText({
      title: words.rename,
      label: words.name,
      action: words.save,
      value: textOf(name),
      save: (value) => this.context.api.update("integration", id, { name: value }),
    });
    if (isSaved) await this.integration.start();
  }

  private async delete({ id, name }: Integration): Promise<void> {
    const { api, places } = this.context;
    const within = [{ model: "Integration", attributes: ["id"], where: { id }, jointype: "inner" }];
    const find = { attributes: ["id"], include: within, limit: 1 };
    try {
      const [people, groups, shared] = await Promise.all([
        api.get("user", find),
        api.get("group", find),
        api.get("securable", find),
      ]);
      const title = words.removeTitle(textOf(name) || id);
      const text = words.removeText(people.count, groups.count, shared.count);
      if (!(await confirm({ title, text, action: words.remove, isDangerous: true }))) return;
      await api.remove("integration", id);
      notify({ text: words.removed(textOf(name) || id) });
      places.go("/access/integrations");
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    return this.integration.show((integration) =>
      integration
        ? this.renderIntegration(integration)
        : html`<h1 class="visually-hidden">${words.absent}</h1>
            ${emptyState({
              title: words.absent,
              action: html`<a class="button" href="/access/integrations">${words.back}</a>`,
            })}`,
    );
  }

  private renderIntegration(integration: Shown): TemplateResult {
    const { isRuled, id, name } = integration;
    const owner = ownerOf(integration);
    const holder: Holder = { resource: "integration", id, isRuled };
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/integrations">${backIcon}${words.back}</a>
          <h1 class="wrap">${textOf(name) || id}</h1>
          ${owner === "" ? nothing : html`<p class="wrap">${words.ownedBy(owner)}</p>`}
        </div>
        ${
          isRuled
            ? html`<button class="button" @click=${() => void this.rename(integration)}>
                  ${words.rename}
                </button>
                <button class="button danger" @click=${() => void this.delete(integration)}>
                  ${words.remove}
                </button>`
            : nothing
        }
      </header>
      <console-shares .context=${this.context} .holder=${holder}></console-shares>
      <console-members .context=${this.context} .holder=${holder} .kind=${"user"}></console-members>
      <console-members
        .context=${this.context}
        .holder=${holder}
        .kind=${"group"}
      ></console-members>`;
  }
}
