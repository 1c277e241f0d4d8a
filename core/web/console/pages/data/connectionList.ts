import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeAgo } from "../../language/index.ts";
import type { Places } from "../../navigation/index.ts";
import { createPagedLoad, emptyState, type TableColumn } from "../../parts/index.ts";
import type { ShownAccount } from "./connectForm.ts";
import { connectWords as words } from "./connectWords.ts";
import { nameOfProvider } from "./provider.ts";
import { encryptionOf } from "./encryptionOf.ts";
import { words as pageWords } from "./words.ts";

/** Returns whether a connection works, in a word. */
export function stateOf({ active, invalid }: ShownAccount): TemplateResult {
  if (invalid === true) return html`<span class="badge bad">${words.refused}</span>`;
  if (active === false) return html`<span class="badge warn">${words.inactive}</span>`;
  return html`<span class="badge good">${words.ready}</span>`;
}

const columns: readonly TableColumn<ShownAccount>[] = [
  {
    label: pageWords.name,
    width: "minmax(180px, 3fr)",
    cell: ({ name, provider }) => textOf(name) || nameOfProvider({ provider, name: null }),
  },
  {
    label: words.encryption,
    width: "180px",
    cell: ({ encryption }) => encryptionOf(encryption),
  },
  {
    label: words.source,
    width: "minmax(110px, 1fr)",
    cell: ({ provider }) => nameOfProvider({ provider, name: null }),
  },
  { label: words.state, width: "110px", cell: stateOf },
  {
    label: pageWords.changed,
    width: "140px",
    cell: ({ updated_at }) => writeAgo(String(updated_at)),
  },
];
const pageRows = 200;

/** The connections that the reader may use: `api`, `places`. */
export class ConnectionList extends LitElement {
  static override properties = {
    api: { attribute: false },
    places: { attribute: false },
  };
  declare api: Api;
  declare places: Places;
  private readonly found = createPagedLoad<ShownAccount>(this, (offset, signal) =>
    this.api.get<ShownAccount>(
      "account",
      {
        attributes: ["id", "name", "provider", "active", "invalid", "encryption", "updated_at"],
        order: [["updated_at", "desc"]],
        limit: pageRows,
        offset,
      },
      { signal },
    ),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("api")) void this.found.start();
  }

  protected override render(): TemplateResult {
    return this.found.show(({ rows }) =>
      rows.length === 0
        ? emptyState({
            title: words.noConnections,
            text: words.noConnectionsText,
            action: html`<a class="button primary" href="/data/connect">${words.connect}</a>`,
          })
        : html`<p class="muted">${words.connectionsText}</p>
            <console-table
              id="connections"
              .label=${words.connections}
              .columns=${columns}
              .rows=${rows}
              .onEnd=${() => void this.found.more()}
              .onOpen=${(row: ShownAccount) => this.places.go(`/data/connections/${row.id}`)}
            ></console-table>`,
    );
  }
}
