import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Api, SignedInUser } from "../../../api/index.ts";
import { writeAgo, writeInstant } from "../../../language/index.ts";
import type { Router } from "../../../navigation/index.ts";
import {
  confirmAndRun,
  createLoad,
  emptyState,
  makeKeyPair,
  textField,
  type TableColumn,
} from "../../../parts/index.ts";
import { issueToken } from "./issueToken.ts";
import { words } from "./words.ts";

type Row = Readonly<Record<string, unknown>>;

const nameOf = ({ description, id }: Row): string => String(description || id);

const apiColumns = (end: (row: Row) => void): readonly TableColumn<Row>[] => [
  {
    label: words.description,
    width: "minmax(160px, 2fr)",
    cell: (row) => nameOf(row),
  },
  {
    label: words.expires,
    width: "160px",
    cell: ({ expiry }) =>
      String(expiry).startsWith("9999") ? words.never : writeInstant(String(expiry)),
  },
  {
    label: words.lastUsed,
    width: "160px",
    cell: ({ last_used_at: at }) => (at ? writeAgo(String(at)) : words.never),
  },
  {
    label: words.end,
    width: "130px",
    cell: (row) =>
      html`<button
        class="button quiet danger"
        aria-label=${words.endNamed(nameOf(row))}
        @click=${() => end(row)}
      >
        ${words.end}
      </button>`,
  },
];
const issuedColumns: readonly TableColumn<Row>[] = [
  {
    label: words.tokenId,
    width: "minmax(280px, 2fr)",
    cell: ({ record_id }) => html`<span class="key-text">${record_id}</span>`,
  },
  { label: words.created, width: "160px", cell: ({ created_at }) => writeAgo(String(created_at)) },
  {
    label: words.seeAs,
    width: "160px",
    cell: () => html`<span class="badge info">${words.seeAs}</span>`,
  },
];

/** The API tokens of the user, and the embed tokens that the user issued. Properties: `api`, `user`, `router`. */
export class TokensView extends LitElement {
  static override properties = {
    api: { attribute: false },
    user: { attribute: false },
    router: { attribute: false },
    typedKey: { state: true },
  };
  declare api: Api;
  declare user: SignedInUser;
  declare router: Router;
  declare private typedKey: string;
  private readonly tokens = createLoad(this, async (signal) => {
    const own = await this.api.get<Row>(
      "authorization",
      { order: [["created_at", "desc"]] },
      { signal },
    );
    const mayIssue = this.user.role === "owner";
    const where = {
      resource: "authorization",
      action: "create",
      user_id: this.user.id,
      record_id: { notIn: own.rows.map(({ id }) => id) },
    };
    const order = [["created_at", "desc"]];
    const issued = mayIssue
      ? await this.api.get<Row>("auditevent", { where, order, limit: 200 }, { signal })
      : { rows: [] };
    // An event that a session recorded about itself has the same id in both members. It is not an embed token.
    const ofPages = issued.rows.filter(({ record_id: made, authorization_id: by }) => made !== by);
    return { own: own.rows, issued: ofPages };
  });

  constructor() {
    super();
    this.typedKey = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.tokens.start());
  }

  private readonly columns = apiColumns((row) => void this.end(row));

  private async make(): Promise<void> {
    if (await makeKeyPair(this.api)) await this.tokens.start();
  }

  private async end(row: Row): Promise<void> {
    const isEnded = await confirmAndRun({
      action: words.end,
      title: words.endNamed(nameOf(row)),
      text: words.endApiText,
      done: words.ended,
      run: () => this.api.remove("authorization", String(row["id"])),
    });
    if (isEnded) await this.tokens.start();
  }

  private open(key: string): void {
    if (key.trim() !== "") this.router.go(`/access/tokens/${encodeURIComponent(key.trim())}`);
  }

  protected override render(): TemplateResult {
    return this.tokens.show(
      ({ own, issued }) =>
        html`<div class="stack">
          ${this.user.role === "owner" ? this.renderIssued(issued) : nothing}
          <div class="row">
            <h2 class="grow">${words.apiTokens}</h2>
            <button class="button" @click=${() => void this.make()}>${words.makePair}</button>
          </div>
          ${
            own.length === 0
              ? emptyState({ title: words.noRecords })
              : html`<console-table
                  id="api-tokens"
                  .label=${words.apiTokens}
                  .columns=${this.columns}
                  .rows=${own}
                  .height=${300}
                ></console-table>`
          }
        </div>`,
    );
  }

  /** Renders the embed tokens that the user issued. Only owners of the organization issue embed tokens. */
  private renderIssued(issued: readonly Row[]): TemplateResult {
    return html`<div class="row">
        <h2 class="grow">${words.embedTokens}</h2>
        <button
          class="button primary"
          @click=${() => void issueToken(this.api).then((key) => key !== undefined && this.open(key))}
        >
          ${words.issue}
        </button>
      </div>
      <p class="muted">${words.embedHint}</p>
      <form
        class="access-form"
        @submit=${(event: Event) => {
          event.preventDefault();
          this.open(this.typedKey);
        }}
      >
        ${textField({
          id: "token-key",
          label: words.keyLabel,
          value: this.typedKey,
          onInput: (value) => (this.typedKey = value),
        })}
        <button class="button" type="submit">${words.openKey}</button>
      </form>
      ${
        issued.length === 0
          ? emptyState({ title: words.noRecords })
          : html`<console-table
              id="issued-tokens"
              .label=${words.embedTokens}
              .columns=${issuedColumns}
              .rows=${issued}
              .height=${360}
              .onOpen=${(row: Row) => this.open(String(row["record_id"]))}
            ></console-table>`
      }`;
  }
}
