import { html } from "lit";
import { searchOf } from "../../../api/index.ts";
import {
  createdColumn,
  nameColumn,
  recordHead,
  type RecordKind,
  type RecordPage,
} from "../../../records/index.ts";
import { providerView } from "./providerView.ts";
import { configOf, readConfigs, type SignOnDraft, type SignOnConfig } from "./signOnConfig.ts";
import { words } from "./words.ts";

const path = "/access/signon";
const pageRows = 100;

/** Creates a provider. It is inactive until the reader activates it. */
async function create({ context: { api, router } }: RecordPage, draft: SignOnDraft): Promise<void> {
  const made = await api.create<{ readonly id: string }>("ssoconfig", {
    name: draft.name.trim(),
    type: "openid",
    active: false,
    config: configOf(draft),
  });
  router.go(`${path}/${made.id}`);
}

/** The sign-on providers, below the settings for second factors and allowed addresses. */
export const providers: RecordKind<SignOnConfig> = {
  id: "sign-on",
  words,
  columns: () => [
    nameColumn(path),
    { label: words.kind, width: "90px", cell: ({ type }) => type ?? "–" },
    {
      label: words.state,
      width: "180px",
      cell: ({ active, type }) =>
        type === "openid"
          ? html`<span class="badge ${active ? "good" : ""}"
              >${active ? words.active : words.inactive}</span
            >`
          : words.unserved,
    },
    createdColumn(),
  ],
  find({ context: { api } }, search, offset, signal) {
    const find = { ...searchOf(search), order: [["name", "asc"]], limit: pageRows, offset };
    return readConfigs(api, find, signal);
  },
  above: ({ context: { api } }) =>
    html`<console-second-factor-demand .api=${api}></console-second-factor-demand>
      <console-address-limit .api=${api}></console-address-limit>`,
  tools: () => html`<a class="button primary" href="${path}/new">${words.add}</a>`,
  view: providerView,
  create: (page) =>
    html`${recordHead({ path, back: words.title, title: words.newTitle, note: words.newText })}
      <console-sign-on-form
        .api=${page.context.api}
        .action=${words.create}
        .save=${(draft: SignOnDraft) => create(page, draft)}
      ></console-sign-on-form>`,
};
