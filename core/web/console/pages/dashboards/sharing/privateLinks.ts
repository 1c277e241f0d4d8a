import { html, LitElement, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, writeAgo, writeInstant } from "../../../language/index.ts";
import { confirm, copyText, createLoad, notify, notifyFailure } from "../../../parts/index.ts";
import { datasetIdsOf, type Contents } from "../contents.ts";
import { words } from "../words.ts";

interface Share {
  readonly id: string;
  readonly created_at: string;
  readonly view_count: number;
  readonly last_viewed_at: string | null;
}
interface Named {
  readonly id: string;
  readonly name: unknown;
}
interface Linked {
  readonly id: string;
  readonly groups?: readonly { readonly id: string }[];
}
interface Sharing {
  readonly shares: readonly Share[];
  readonly publicGroupId: string | undefined;
  /** Datasets of the dashboard that the reader can see. */
  readonly datasets: readonly Named[];
  /** Ids of the records that are already in the Public group: the dashboard and its datasets. */
  readonly publicIds: ReadonlySet<string>;
}

/** Returns the URL of a private link. */
const linkOf = ({ id }: Share): string => `${window.location.origin}/shared/${id}`;

/**
 * The private links of a dashboard. A link requires that the dashboard and its datasets are in the Public group; the
 * reader confirms before anything is added to the group. Properties: `api`, `dashboardId`, `contents`, `onPublic`.
 */
export class PrivateLinks extends LitElement {
  static override properties = {
    api: { attribute: false },
    dashboardId: { attribute: false },
    contents: { attribute: false },
  };
  declare api: Api;
  declare dashboardId: string;
  declare contents: Contents;
  /** Called after records were added to the Public group. */
  declare onPublic: () => void;
  private readonly sharing = createLoad(this, () =>
    readSharing(this.api, this.dashboardId, this.contents),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.sharing.start());
  }

  private async run(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (reason) {
      notifyFailure(reason);
    }
    await this.sharing.start();
  }

  private async make(sharing: Sharing): Promise<void> {
    const { api, dashboardId } = this;
    if (!(await makePublic(api, dashboardId, sharing))) return;
    this.onPublic();
    await api.call("share", "create", {
      properties: {},
      associations: [{ role: "Dashboard", id: dashboardId }],
    });
    notify({ text: words.linkMade });
  }

  private renderLink(share: Share): TemplateResult {
    return html`<li>
      <span class="grow">
        <a href=${linkOf(share)} target="_blank" rel="noreferrer"
          >${writeInstant(share.created_at)}</a
        >
        <span class="muted small">
          ${words.views(share.view_count)}
          ${share.last_viewed_at ? `· ${writeAgo(share.last_viewed_at)}` : ""}
        </span>
      </span>
      <button class="button" @click=${() => copyText(linkOf(share))}>${words.copyLink}</button>
      <button
        class="button danger"
        @click=${() =>
          void this.run(async () => {
            await this.api.remove("share", share.id);
            notify({ text: words.linkEnded });
          })}
      >
        ${words.endLink}
      </button>
    </li>`;
  }

  protected override render(): TemplateResult {
    return this.sharing.show(
      (sharing) =>
        html`<p class="muted">${words.shareText}</p>
          ${
            sharing.shares.length === 0
              ? html`<p>${words.noLinks}</p>`
              : html`<ul class="versions">
                  ${sharing.shares.map((share) => this.renderLink(share))}
                </ul>`
          }
          <div class="row">
            <button
              class="button"
              ?disabled=${sharing.publicGroupId === undefined}
              @click=${() => void this.run(() => this.make(sharing))}
            >
              ${words.makeLink}
            </button>
          </div>`,
      2,
    );
  }
}

async function readSharing(api: Api, dashboardId: string, contents: Contents): Promise<Sharing> {
  const datasetIds = datasetIdsOf(contents);
  const ids = [dashboardId, ...datasetIds];
  const publicGroup = { model: "Group", attributes: ["id"], where: { public: true } };
  const [shares, groups, datasets, linked] = await Promise.all([
    api.get<Share>("share", {
      where: { securable_id: dashboardId },
      attributes: ["id", "created_at", "view_count", "last_viewed_at"],
      order: [["created_at", "desc"]],
      limit: 100,
    }),
    api.get<{ readonly id: string }>("group", { where: { public: true }, attributes: ["id"] }),
    api.get<Named>("securable", { where: { id: { in: datasetIds } }, attributes: ["id", "name"] }),
    api.get<Linked>("securable", {
      where: { id: { in: ids } },
      attributes: ["id"],
      include: [publicGroup],
    }),
  ]);
  return {
    shares: shares.rows,
    publicGroupId: groups.rows[0]?.id,
    datasets: datasets.rows,
    publicIds: new Set(
      linked.rows.filter(({ groups: of = [] }) => of.length > 0).map(({ id }) => id),
    ),
  };
}

/**
 * Adds a dashboard and its datasets to the Public group if the reader confirms: all of them, or none. Returns whether
 * they are in the group.
 */
async function makePublic(
  api: Api,
  dashboardId: string,
  { publicGroupId, publicIds, datasets }: Sharing,
): Promise<boolean> {
  if (publicGroupId === undefined) return false;
  const closed = datasets.filter(({ id }) => !publicIds.has(id));
  if (publicIds.has(dashboardId) && closed.length === 0) return true;
  const names = closed.map(({ name, id }) => textOf(name) || id);
  const isAgreed = await confirm({
    title: words.publicTitle,
    text: words.publicText(names.join(", ")),
    action: words.publicAction,
  });
  if (!isAgreed) return false;
  const properties = { flagRead: true, flagUse: true };
  const [first, ...others] = [
    ...(publicIds.has(dashboardId) ? [] : [dashboardId]),
    ...closed.map(({ id }) => id),
  ].map((id) => ({ role: "Securables", id }));
  await api.call("group", "associate", {
    id: publicGroupId,
    resource: first,
    properties,
    associations: others.map((each) => ({ ...each, properties })),
  });
  return true;
}
