import { html, nothing, type TemplateResult } from "lit";
import { textOf } from "../../language/index.ts";
import { confirmAndRun, notify, openDialog, type ConsoleContext } from "../../parts/index.ts";
import type { RecordViewKind } from "../../records/index.ts";
import type { ShownAccount } from "./connectForm.ts";
import { connectWords as words } from "./connectWords.ts";
import { encryptionLine } from "./encryptionOf.ts";
import { nameOfProvider } from "./provider.ts";

const path = "/data/connections";
const sourceOf = ({ provider }: ShownAccount): string => nameOfProvider({ provider, name: null });

/** Returns the badge that says whether a connection works. */
export function stateOf({ active, invalid }: ShownAccount): TemplateResult {
  if (invalid === true) return html`<span class="badge bad">${words.refused}</span>`;
  if (active === false) return html`<span class="badge warn">${words.inactive}</span>`;
  return html`<span class="badge good">${words.ready}</span>`;
}

/** One connection: its state, and the tables that its source offers. */
export const connectionView: RecordViewKind<ShownAccount> = {
  path,
  words,
  nameOf: (account) => textOf(account.name) || sourceOf(account),
  mark: stateOf,
  note: (account) => html`${sourceOf(account)}. ${words.offerText}`,
  async read({ api }, id, signal) {
    return (await api.get<ShownAccount>("account", { where: { id } }, { signal })).rows[0];
  },
  actions: (account, { context }) => [
    { label: words.synchronize, run: () => synchronize(context, account) },
    { label: words.change, run: () => change(context, account) },
    {
      label: words.remove,
      look: "danger",
      async run() {
        const isDone = await confirmAndRun({
          action: words.remove,
          text: words.removeText,
          run: () => context.api.remove("account", account.id),
        });
        if (isDone) context.router.go(path, { replaces: true });
        return false;
      },
    },
  ],
  body: (account, { context }) =>
    html`${encryptionLine(account["encryption"])} ${renderWarnings(account)}
      <console-connection-offer
        .context=${context}
        .account=${account}
      ></console-connection-offer>`,
};

async function synchronize({ api }: ConsoleContext, { id }: ShownAccount): Promise<void> {
  const answer = await api.update<{
    readonly metadata_sync: { readonly datasets: readonly { readonly synced: boolean }[] };
  }>("account", id, { update_metadata: true });
  const synced = answer.metadata_sync.datasets.filter((each) => each.synced);
  notify({ text: words.synchronized(synced.length) });
}

async function change({ api }: ConsoleContext, account: ShownAccount): Promise<boolean> {
  const isSaved = await openDialog<boolean>({
    title: words.change,
    body: (dialog) =>
      html`<console-connect-form
        .api=${api}
        .provider=${account.provider}
        .account=${account}
        .onSaved=${() => dialog.close(true)}
      ></console-connect-form>`,
  });
  return isSaved === true;
}

/** Renders the rights beyond reading that the source reported for the credentials. */
function renderWarnings({
  access_warnings: warnings,
}: ShownAccount): TemplateResult | typeof nothing {
  if (!Array.isArray(warnings) || warnings.length === 0) return nothing;
  return html`<div class="access-warnings" role="note">
    <p><span class="badge warn">${words.accessWarning}</span> ${words.accessWarningText}</p>
    <ul>
      ${warnings.map((warning: unknown) => html`<li>${String(warning)}</li>`)}
    </ul>
  </div>`;
}
