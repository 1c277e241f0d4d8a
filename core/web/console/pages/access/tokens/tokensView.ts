import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Api, Found, SignedInUser } from "../../../api/index.ts";
import { textOf, writeAgo, writeInstant } from "../../../language/index.ts";
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

/** A token that the reader issued for a page. */
interface IssuedToken {
  readonly id: string;
  readonly username: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly created_at: string;
  readonly expiry: string;
  readonly last_used_at: string | null;
  readonly integration: { readonly name: unknown } | null;
  readonly securables: readonly {
    readonly type: keyof typeof words.types;
    readonly name: unknown;
  }[];
}

const nameOf = ({ description }: Row): string => String(description || words.unnamed);

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
const viewerOf = ({ name, username, email }: IssuedToken): string =>
  name || username || email || words.anybody;

/** Returns the names of what a token shows: its integration, or its dashboards, or else its datasets. */
function shownBy({ integration, securables }: IssuedToken): string {
  if (integration) return textOf(integration.name) || words.unnamed;
  const dashboards = securables.filter(({ type }) => type === "dashboard");
  const shown = dashboards.length > 0 ? dashboards : securables;
  return shown.map(({ name }) => textOf(name) || words.unnamed).join(", ") || "–";
}

const issuedColumns: readonly TableColumn<IssuedToken>[] = [
  {
    label: words.viewer,
    width: "minmax(140px, 1fr)",
    cell: (row) => html`<a href="/access/tokens/${row.id}">${viewerOf(row)}</a>`,
  },
  { label: words.shows, width: "minmax(180px, 2fr)", cell: shownBy },
  {
    label: words.expires,
    width: "170px",
    cell: ({ expiry }) =>
      Date.parse(expiry) > Date.now()
        ? writeInstant(expiry)
        : html`<span class="badge">${words.hasEnded}</span>`,
  },
  {
    label: words.lastUsed,
    width: "130px",
    cell: ({ last_used_at: at }) => (at ? writeAgo(at) : words.never),
  },
  { label: words.created, width: "130px", cell: ({ created_at: at }) => writeAgo(at) },
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
    const issued =
      this.user.role === "owner"
        ? await this.api.call<Found<IssuedToken>>(
            "authorization",
            "list",
            { options: { limit: 200 } },
            { signal },
          )
        : undefined;
    return { own: own.rows, issued };
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
          ${issued ? this.renderIssued(issued) : nothing}
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
  private renderIssued({ count, rows }: Found<IssuedToken>): TemplateResult {
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
        rows.length === 0
          ? emptyState({ title: words.noRecords })
          : html`<console-table
                id="issued-tokens"
                .label=${words.embedTokens}
                .columns=${issuedColumns}
                .rows=${rows}
                .height=${360}
                .onOpen=${(row: IssuedToken) => this.open(row.id)}
              ></console-table>
              ${count > rows.length ? html`<p class="muted">${words.newest(rows.length, count)}</p>` : nothing}`
      }`;
  }
}
