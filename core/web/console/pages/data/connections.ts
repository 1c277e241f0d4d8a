import { html } from "lit";
import { textOf, writeAgo } from "../../language/index.ts";
import type { RecordKind } from "../../records/index.ts";
import type { ShownAccount } from "./connectForm.ts";
import { connectionView, stateOf } from "./connectionView.ts";
import { connectWords as words } from "./connectWords.ts";
import { encryptionOf } from "./encryptionOf.ts";
import { nameOfProvider } from "./provider.ts";
import { words as pageWords } from "./words.ts";

const attributes = ["id", "name", "provider", "active", "invalid", "encryption", "updated_at"];
const pageRows = 200;

/** The declaration of connections: the list of those that the reader can use, and the view of one connection. */
export const connections: RecordKind<ShownAccount> = {
  id: "connections",
  words,
  columns: () => [
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
  ],
  find({ context: { api } }, _search, offset, signal) {
    const find = { attributes, order: [["updated_at", "desc"]], limit: pageRows, offset };
    return api.get<ShownAccount>("account", find, { signal });
  },
  above: () => html`<p class="muted">${words.text}</p>`,
  begin: html`<a class="button primary" href="/data/connect">${words.connect}</a>`,
  view: connectionView,
};
