import { html, type TemplateResult } from "lit";
import { ConsolePage, define, emptyState, tabs, type Command } from "../../parts/index.ts";
import { adoptStyles, dataTable, records } from "../../styles/index.ts";
import { AuditRoom } from "./audit/index.ts";
import { ChartsRoom } from "./charts/index.ts";
import { GroupsRoom } from "./groups/index.ts";
import { IntegrationsRoom } from "./integrations/index.ts";
import { PeopleRoom } from "./people/index.ts";
import { SignOnRoom } from "./signOn/index.ts";
import { accessStyles } from "./styles.ts";
import { SuborganizationsRoom } from "./suborganizations/index.ts";
import { TokensRoom } from "./tokens/index.ts";
import { UsageRoom } from "./usage/index.ts";
import { words } from "./words.ts";

type RoomId = keyof typeof words.tabs;

const isRoom = (id: string | undefined): id is RoomId =>
  id !== undefined && Object.hasOwn(words.tabs, id);

/** Rooms of owners of the organization, and those of owners of all of it. */
const forOwners: readonly RoomId[] = ["audit"];
const forWholeOwners: readonly RoomId[] = ["suborganizations", "signon", "charts", "usage"];

/** The page People and access: a room a subject, each with its list and the views of its records. */
export class AccessPage extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(dataTable, records, accessStyles);
    define("console-people", PeopleRoom);
    define("console-groups", GroupsRoom);
    define("console-suborganizations", SuborganizationsRoom);
    define("console-integrations", IntegrationsRoom);
    define("console-sign-on", SignOnRoom);
    define("console-tokens", TokensRoom);
    define("console-audit", AuditRoom);
    define("console-charts", ChartsRoom);
    define("console-usage", UsageRoom);
    this.nameWindow(words.title);
  }

  override get commands(): readonly Command[] {
    const { places } = this.context;
    return this.rooms.map((id) => ({
      label: words.tabs[id],
      kind: words.title,
      run: () => places.go(`/access/${id}`),
    }));
  }

  private get room(): RoomId {
    const [, room] = this.place.parts;
    return isRoom(room) ? room : "people";
  }

  /** The rooms that the reader may use. */
  private get rooms(): readonly RoomId[] {
    const { role, suborganization } = this.context.user;
    const isOwner = role === "owner";
    const isWhole = isOwner && suborganization === null;
    return Object.keys(words.tabs).filter(
      (id): id is RoomId =>
        isRoom(id) &&
        (isOwner || !forOwners.includes(id)) &&
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
          action: html`<a class="button" href="/access/people">${words.toPeople}</a>`,
        })}
      </div>`;
    if (this.place.parts.length > 2) return html`<div class="page">${this.renderRoom()}</div>`;
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
        onSelect: (id) => this.context.places.go(`/access/${id}`),
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
    const { context, place } = this;
    switch (this.room) {
      case "people":
        return html`<console-people .context=${context} .place=${place}></console-people>`;
      case "groups":
        return html`<console-groups .context=${context} .place=${place}></console-groups>`;
      case "suborganizations":
        return html`<console-suborganizations
          .context=${context}
          .place=${place}
        ></console-suborganizations>`;
      case "integrations":
        return html`<console-integrations
          .context=${context}
          .place=${place}
        ></console-integrations>`;
      case "signon":
        return html`<console-sign-on .context=${context} .place=${place}></console-sign-on>`;
      case "tokens":
        return html`<console-tokens .context=${context} .place=${place}></console-tokens>`;
      case "audit":
        return html`<console-audit .context=${context} .place=${place}></console-audit>`;
      case "charts":
        return html`<console-charts .context=${context} .place=${place}></console-charts>`;
      case "usage":
        return html`<console-usage .context=${context} .place=${place}></console-usage>`;
    }
  }
}
