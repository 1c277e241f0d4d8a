import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isRecord } from "../../../api/index.ts";
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

export interface Group {
  readonly id: string;
  readonly name: unknown;
  readonly public: boolean;
  readonly suborganization: string | null;
  readonly created_at: string;
}

interface Shown extends Group {
  /** Whether the reader owns the group, or the organization. */
  readonly isRuled: boolean;
}

/** One group: its people, and what they see by it: `context`, `groupId`. */
export class GroupView extends LitElement {
  static override properties = { context: { attribute: false }, groupId: { attribute: false } };
  declare context: ConsoleContext;
  declare groupId: string;
  private readonly group = createLoad<Shown | null>(this, async (signal) => {
    const { api, user } = this.context;
    const include = [{ model: "User", attributes: ["id"], where: { id: user.id } }];
    const find = { where: { id: this.groupId }, include };
    const { rows } = await api.get<Group & { readonly users: readonly unknown[] }>("group", find, {
      signal,
    });
    const [row] = rows;
    if (!row) return null;
    const [me] = row.users;
    const link = isRecord(me) && isRecord(me["groupRole"]) ? me["groupRole"] : {};
    return { ...row, isRuled: user.role === "owner" || link["flagOwn"] === true };
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
    if (changed.has("groupId")) void this.group.start();
  }

  private async rename({ id, name }: Group): Promise<void> {
    const isSaved = await askText({
      title: words.rename,
      label: words.name,
      action: words.save,
      value: textOf(name),
      save: (value) => this.context.api.update("group", id, { name: value }),
    });
    if (isSaved) await this.group.start();
  }

  private async delete({ id, name }: Group): Promise<void> {
    const { api, places } = this.context;
    const include = [{ model: "Group", attributes: ["id"], where: { id }, jointype: "inner" }];
    const find = { attributes: ["id"], include, limit: 1 };
    try {
      const [people, shared] = await Promise.all([
        api.get("user", find),
        api.get("securable", find),
      ]);
      const title = words.removeTitle(textOf(name) || id);
      const text = words.removeText(people.count, shared.count);
      if (!(await confirm({ title, text, action: words.remove, isDangerous: true }))) return;
      await api.remove("group", id);
      notify({ text: words.removed(textOf(name) || id) });
      places.go("/access/groups");
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    return this.group.show((group) =>
      group
        ? this.renderGroup(group)
        : html`<h1 class="visually-hidden">${words.absent}</h1>
            ${emptyState({
              title: words.absent,
              action: html`<a class="button" href="/access/groups">${words.back}</a>`,
            })}`,
    );
  }

  private renderGroup(group: Shown): TemplateResult {
    const { isRuled, public: isPublic, suborganization } = group;
    const holder: Holder = { resource: "group", id: group.id, isRuled };
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/groups">${backIcon}${words.back}</a>
          <h1 class="wrap">${textOf(group.name) || group.id}</h1>
          ${suborganization === null ? nothing : html`<p>${words.within(suborganization)}</p>`}
        </div>
        ${
          isRuled && !isPublic
            ? html`<button class="button" @click=${() => void this.rename(group)}>
                  ${words.rename}
                </button>
                <button class="button danger" @click=${() => void this.delete(group)}>
                  ${words.remove}
                </button>`
            : nothing
        }
      </header>
      <console-shares .context=${this.context} .holder=${holder}></console-shares>
      ${
        isPublic
          ? html`<p class="muted">${words.public}</p>`
          : html`<console-members
              .context=${this.context}
              .holder=${holder}
              .kind=${"user"}
            ></console-members>`
      }`;
  }
}
