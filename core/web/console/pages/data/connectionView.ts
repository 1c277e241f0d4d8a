import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import type { Places } from "../../navigation/index.ts";
import {
  confirm,
  createLoad,
  define,
  elementOf,
  emptyState,
  notify,
  notifyFailure,
  openDialog,
} from "../../parts/index.ts";
import { ConnectForm, type ShownAccount } from "./connectForm.ts";
import { stateOf } from "./connectionList.ts";
import { connectWords as words } from "./connectWords.ts";
import { encryptionLine } from "./encryptionOf.ts";
import { offeredColumns, type Offered } from "./offeredColumns.ts";
import { offerFilter } from "./offerFilter.ts";
import { nameOfProvider } from "./provider.ts";

interface Made {
  readonly id: string;
  readonly source_sheet: string | null;
}

/** Datasets of one call: each call makes all of its datasets or none. */
const batchCount = 50;

/** One connection: what its source offers, to make datasets of it. `api`, `places`, `accountId`. */
export class ConnectionView extends LitElement {
  static override properties = {
    api: { attribute: false },
    places: { attribute: false },
    accountId: { attribute: false },
    search: { state: true },
    schema: { state: true },
    kind: { state: true },
    chosen: { state: true },
    done: { state: true },
  };
  declare api: Api;
  declare places: Places;
  declare accountId: string;
  declare private search: string;
  declare private schema: string;
  declare private kind: string;
  declare private chosen: ReadonlySet<string>;
  /** Datasets that are made, and all that are asked for; undefined while none is made. */
  declare private done: readonly [number, number] | undefined;
  private readonly account = createLoad(this, async (signal) => {
    const find = { where: { id: this.accountId } };
    const { rows } = await this.api.get<ShownAccount>("account", find, { signal });
    return { account: rows[0] };
  });
  private readonly offer = createLoad(this, async (signal) => {
    const where = { account_id: this.accountId, type: "dataset" };
    const attributes = ["id", "source_sheet"];
    const [offered, made] = await Promise.all([
      this.api.get<Offered>("dataprovider", { account_id: this.accountId }, { signal }),
      this.api.get<Made>("securable", { where, attributes, limit: 1_000 }, { signal }),
    ]);
    const datasetOf = new Map(made.rows.map(({ id, source_sheet }) => [source_sheet, id]));
    return { offered: offered.rows, datasetOf };
  });

  constructor() {
    super();
    this.search = "";
    this.schema = "";
    this.kind = "";
    this.chosen = new Set();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-connect-form", ConnectForm);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("accountId")) return;
    this.chosen = new Set();
    void this.account.start();
    void this.offer.start();
  }

  private async change(account: ShownAccount): Promise<void> {
    const isSaved = await openDialog<boolean>({
      title: words.change,
      body: (dialog) =>
        html`<console-connect-form
          .api=${this.api}
          .provider=${account.provider}
          .account=${account}
          .onSaved=${() => dialog.close(true)}
        ></console-connect-form>`,
    });
    if (!isSaved) return;
    void this.account.start();
    void this.offer.start();
  }

  private async delete(account: ShownAccount): Promise<void> {
    const { remove: action, removeText: text } = words;
    const isAgreed = await confirm({ title: action, text, action, isDangerous: true });
    if (!isAgreed) return;
    try {
      await this.api.remove("account", account.id);
      this.places.go("/data/connections", { replaces: true });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async synchronize(account: ShownAccount): Promise<void> {
    try {
      const answer = await this.api.update<{
        readonly metadata_sync: { readonly datasets: readonly { readonly synced: boolean }[] };
      }>("account", account.id, { update_metadata: true });
      const synced = answer.metadata_sync.datasets.filter((each) => each.synced);
      notify({ text: words.synchronized(synced.length) });
    } catch (failure) {
      notifyFailure(failure);
    }
    void this.account.start();
  }

  private async make({ provider, id }: ShownAccount): Promise<void> {
    const all = [...this.chosen];
    const made: string[] = [];
    this.done = [0, all.length];
    try {
      for (let from = 0; from < all.length; from += batchCount) {
        const datasets = all.slice(from, from + batchCount);
        const answer = await this.api.create<{ readonly data: readonly { readonly id: string }[] }>(
          "dataprovider",
          { provider, account_id: id, datasets },
        );
        made.push(...answer.data.map((each) => each.id));
        this.done = [made.length, all.length];
      }
    } catch (failure) {
      notifyFailure(failure);
    }
    this.done = undefined;
    if (made.length === 0) return;
    // Chosen ones that were not reached stay chosen.
    this.chosen = new Set(all.slice(made.length));
    notify({ text: words.madeDatasets(made.length) });
    const [only] = made;
    if (made.length === 1 && all.length === 1 && only !== undefined)
      this.places.go(`/data/${only}`);
    else void this.offer.start();
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      ${this.account.show(({ account }) =>
        account
          ? html`<header class="page-head">
                <div>
                  <h1>
                    ${textOf(account.name) || nameOfProvider({ ...account, name: null })}
                    ${stateOf(account)}
                  </h1>
                  <p>${nameOfProvider({ ...account, name: null })}. ${words.offerText}</p>
                  ${encryptionLine(account["encryption"])}
                </div>
                <a class="button" href="/data/connections">${words.back}</a>
                <button class="button" @click=${() => void this.synchronize(account)}>
                  ${words.synchronize}
                </button>
                <button class="button" @click=${() => void this.change(account)}>
                  ${words.change}
                </button>
                <button class="button danger" @click=${() => void this.delete(account)}>
                  ${words.remove}
                </button>
              </header>
              ${renderWarnings(account)}
              ${this.offer.show(({ offered, datasetOf }) => this.renderOffer(account, offered, datasetOf))}`
          : emptyState({
              title: words.noConnections,
              action: html`<a class="button" href="/data/connections">${words.back}</a>`,
            }),
      )}
    </div>`;
  }

  private seen(offered: readonly Offered[]): readonly Offered[] {
    const asked = this.search.trim().toLowerCase();
    return offered.filter(
      ({ name, id, schema, type }) =>
        (this.schema === "" || schema === this.schema) &&
        (this.kind === "" || type === this.kind) &&
        (name.toLowerCase().includes(asked) || id.toLowerCase().includes(asked)),
    );
  }

  private toggle({ id, columns }: Offered): void {
    if (columns.length === 0) return;
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) chosen.add(id);
    this.chosen = chosen;
  }

  private renderOffer(
    account: ShownAccount,
    offered: readonly Offered[],
    datasetOf: ReadonlyMap<string | null, string>,
  ): TemplateResult {
    if (offered.length === 0) return emptyState({ title: words.nothingOffered });
    const seen = this.seen(offered);
    const { done, chosen } = this;
    const choosable = seen.filter(({ columns }) => columns.length > 0);
    const isAllChosen = choosable.every(({ id }) => chosen.has(id));
    return html`<div class="offer-bar">
        <input
          class="input"
          type="search"
          aria-label=${words.searchTables}
          placeholder=${words.searchTables}
          .value=${this.search}
          @input=${(event: Event) => (this.search = elementOf(event.target, HTMLInputElement).value)}
        />
        ${offerFilter(words.schema, words.everySchema, this.schema, schemasOf(offered), (value) => (this.schema = value))}
        ${offerFilter(words.kind, words.everyKind, this.kind, kindsOf(offered), (value) => (this.kind = value))}
      </div>
      <div class="row">
        <span class="muted grow" role="status"
          >${words.shown(writeNumber(seen.length), writeNumber(offered.length))}</span
        >
        <button
          class="button quiet"
          @click=${() => (this.chosen = isAllChosen ? new Set() : new Set([...chosen, ...choosable.map(({ id }) => id)]))}
        >
          ${isAllChosen ? words.chooseNone : words.chooseSeen(writeNumber(choosable.length))}
        </button>
        <button
          class="button primary"
          ?disabled=${chosen.size === 0 || done !== undefined}
          @click=${() => void this.make(account)}
        >
          ${words.makeDatasets(chosen.size)}
        </button>
      </div>
      ${
        done
          ? html`<progress class="upload-progress" max=${done[1]} .value=${done[0]}></progress>
              <p role="status">${words.making(writeNumber(done[0]), writeNumber(done[1]))}</p>`
          : nothing
      }
      <console-table
        id="offered"
        .label=${words.offered}
        .columns=${offeredColumns(chosen, datasetOf)}
        .rows=${seen}
        .onOpen=${(row: Offered) => this.toggle(row)}
      ></console-table>`;
  }
}

/** Rights beyond reading that the source has reported for the credentials. */
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

const schemasOf = (offered: readonly Offered[]): readonly string[] =>
  [...new Set(offered.flatMap(({ schema }) => (schema === null ? [] : [schema])))].toSorted();

const kindsOf = (offered: readonly Offered[]): readonly string[] =>
  [...new Set(offered.map(({ type }) => type))].toSorted();
