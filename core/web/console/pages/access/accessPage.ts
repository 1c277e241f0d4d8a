import { html, type TemplateResult } from "lit";
import {
  ConsolePage,
  ConsoleTable,
  define,
  emptyState,
  tabs,
  type Command,
} from "../../parts/index.ts";
import { recordStyles, RecordRoom, type RecordKind } from "../../records/index.ts";
import { sharingStyles } from "../../sharing/index.ts";
import { adoptStyles, dataTable, records } from "../../styles/index.ts";
import { AuditRoom } from "./audit/index.ts";
import { charts } from "./charts/index.ts";
import { groups } from "./groups/index.ts";
import { integrations } from "./integrations/index.ts";
import { AccessCard, people } from "./people/index.ts";
import { MembersList, SharesList } from "./shares/index.ts";
import { AddressLimit, providers, SecondFactorDemand, SignOnForm } from "./signOn/index.ts";
import { accessStyles } from "./styles.ts";
import { suborganizations } from "./suborganizations/index.ts";
import { SeeAs, SeenDashboards, TokensView, tokenView } from "./tokens/index.ts";
import { UsageRoom } from "./usage/index.ts";
import { words } from "./words.ts";

type RoomId = keyof typeof words.tabs;

const isRoom = (id: string | undefined): id is RoomId =>
  id !== undefined && Object.hasOwn(words.tabs, id);

/** Tabs that list the records of one kind and show one of them, each with the declaration of the kind. */
const kinds: Readonly<Record<Exclude<RoomId, "tokens" | "audit" | "usage">, RecordKind>> = {
  people,
  groups,
  suborganizations,
  integrations,
  signon: providers,
  charts,
};

/** Tabs for owners, and tabs hidden from owners of a suborganization. */
const forOwners: readonly RoomId[] = ["audit", "usage"];
/** Tabs that would list at most the reader, unless the reader manages a suborganization. */
const forManagers: readonly RoomId[] = ["people", "integrations"];
const forWholeOwners: readonly RoomId[] = ["suborganizations", "signon", "charts"];

/** The People and access page. Most tabs list the records of one kind and show one of them. */
export class AccessPage extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(dataTable, records, recordStyles, sharingStyles, accessStyles);
    define("console-record-room", RecordRoom);
    define("console-table", ConsoleTable);
    define("console-access-card", AccessCard);
    define("console-members", MembersList);
    define("console-shares", SharesList);
    define("console-second-factor-demand", SecondFactorDemand);
    define("console-address-limit", AddressLimit);
    define("console-sign-on-form", SignOnForm);
    define("console-tokens-view", TokensView);
    define("console-see-as", SeeAs);
    define("console-seen-dashboards", SeenDashboards);
    define("console-audit", AuditRoom);
    define("console-usage", UsageRoom);
    this.nameWindow(words.title);
  }

  override get commands(): readonly Command[] {
    const { router } = this.context;
    return this.rooms.map((id) => ({
      label: words.tabs[id],
      kind: words.title,
      run: () => router.go(`/access/${id}`),
    }));
  }

  private get room(): RoomId {
    const [, room] = this.route.parts;
    return isRoom(room) ? room : (this.rooms[0] ?? "people");
  }

  /** The tabs that the reader may open. */
  private get rooms(): readonly RoomId[] {
    const { role, suborganization } = this.context.user;
    const isOwner = role === "owner";
    const isWhole = isOwner && suborganization === null;
    return Object.keys(words.tabs).filter(
      (id): id is RoomId =>
        isRoom(id) &&
        (isOwner || !forOwners.includes(id)) &&
        (isOwner || suborganization !== null || !forManagers.includes(id)) &&
        (isWhole || !forWholeOwners.includes(id)),
    );
  }

  protected override render(): TemplateResult {
    if (!this.rooms.includes(this.room))
      return html`<div class="page">
        <h1 class="visually-hidden">${words.title}</h1>
        ${emptyState({
          title: words.forOwners,
          text: words.forOwnersText,
          action: html`<a class="button" href="/access">${words.toAccess}</a>`,
        })}
      </div>`;
    if (this.route.parts.length > 2) return html`<div class="page">${this.renderRoom()}</div>`;
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.intro}</p>
        </div>
      </header>
      ${tabs({
        label: words.views,
        selected: this.room,
        items: this.rooms.map((id) => ({ id, label: words.tabs[id] })),
        onSelect: (id) => this.context.router.go(`/access/${id}`),
      })}
      <div
        id="panel-${this.room}"
        role="tabpanel"
        class="access-panel"
        aria-labelledby="tab-${this.room}"
      >
        ${this.renderRoom()}
      </div>
    </div>`;
  }

  private renderRoom(): TemplateResult {
    const { context, route, room } = this;
    const [, , key] = route.parts;
    switch (room) {
      case "audit":
        return html`<console-audit .context=${context} .route=${route}></console-audit>`;
      case "usage":
        return html`<console-usage .context=${context} .route=${route}></console-usage>`;
      case "tokens":
        return key === undefined
          ? html`<console-tokens-view
              .api=${context.api}
              .user=${context.user}
              .router=${context.router}
            ></console-tokens-view>`
          : tokenView(context, key);
      case "charts":
      case "groups":
      case "integrations":
      case "people":
      case "signon":
      case "suborganizations":
        return html`<console-record-room
          .context=${context}
          .route=${route}
          .kind=${kinds[room]}
        ></console-record-room>`;
    }
  }
}
