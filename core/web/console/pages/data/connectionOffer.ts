import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { writeNumber } from "../../language/index.ts";
import {
  createLoad,
  elementOf,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import type { ShownAccount } from "./connectForm.ts";
import { connectWords as words } from "./connectWords.ts";
import { offeredColumns, type Offered } from "./offeredColumns.ts";
import { offerFilter } from "./offerFilter.ts";

interface Made {
  readonly id: string;
  readonly source_sheet: string | null;
}
interface Offer {
  readonly offered: readonly Offered[];
  /** Ids of existing datasets by the tables that they query. */
  readonly datasetOf: ReadonlyMap<string | null, string>;
}

/** Number of datasets per call. Each call creates either all of its datasets or none of them. */
const batchCount = 50;

/**
 * Shows the tables of a connection, and creates datasets for the tables that the reader chooses. Properties: `context`,
 * `account`.
 */
export class ConnectionOffer extends LitElement {
  static override properties = {
    context: { attribute: false },
    account: { attribute: false },
    search: { state: true },
    schema: { state: true },
    kind: { state: true },
    chosen: { state: true },
    done: { state: true },
  };
  declare context: ConsoleContext;
  declare account: ShownAccount;
  declare private search: string;
  declare private schema: string;
  declare private kind: string;
  declare private chosen: ReadonlySet<string>;
  /**
   * Number of datasets created so far, and number of datasets requested; undefined while no datasets are being created.
   */
  declare private done: readonly [number, number] | undefined;
  private readonly offer = createLoad<Offer>(this, async (signal) => {
    const { id } = this.account;
    const { api } = this.context;
    const where = { account_id: id, type: "dataset" };
    const attributes = ["id", "source_sheet"];
    const [offered, made] = await Promise.all([
      api.get<Offered>("dataprovider", { account_id: id }, { signal }),
      api.get<Made>("securable", { where, attributes, limit: 1_000 }, { signal }),
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

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("account")) return;
    if (changed.get("account")?.id !== this.account.id) this.chosen = new Set();
    void this.offer.start();
  }

  private async make(): Promise<void> {
    const { provider, id } = this.account;
    const all = [...this.chosen];
    const made: string[] = [];
    this.done = [0, all.length];
    try {
      for (let from = 0; from < all.length; from += batchCount) {
        const datasets = all.slice(from, from + batchCount);
        const answer = await this.context.api.create<{
          readonly data: readonly { readonly id: string }[];
        }>("dataprovider", { provider, account_id: id, datasets });
        made.push(...answer.data.map((each) => each.id));
        this.done = [made.length, all.length];
      }
    } catch (failure) {
      notifyFailure(failure);
    }
    this.done = undefined;
    if (made.length === 0) return;
    // Chosen tables without a dataset remain chosen.
    this.chosen = new Set(all.slice(made.length));
    notify({ text: words.madeDatasets(made.length) });
    const [only] = made;
    if (made.length === 1 && all.length === 1 && only !== undefined)
      this.context.router.go(`/data/${only}`);
    else void this.offer.start();
  }

  protected override render(): TemplateResult {
    return this.offer.show((offer) => this.renderOffer(offer));
  }

  private seen(offered: readonly Offered[]): readonly Offered[] {
    const phrase = this.search.trim().toLowerCase();
    return offered.filter(
      ({ name, id, schema, type }) =>
        (this.schema === "" || schema === this.schema) &&
        (this.kind === "" || type === this.kind) &&
        (name.toLowerCase().includes(phrase) || id.toLowerCase().includes(phrase)),
    );
  }

  private toggle({ id, columns }: Offered): void {
    if (columns.length === 0) return;
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) chosen.add(id);
    this.chosen = chosen;
  }

  private renderOffer({ offered, datasetOf }: Offer): TemplateResult {
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
        ${offerFilter("schema", words.schema, words.everySchema, this.schema, schemasOf(offered), (value) => (this.schema = value))}
        ${offerFilter("kind", words.kind, words.everyKind, this.kind, kindsOf(offered), (value) => (this.kind = value))}
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
          @click=${() => void this.make()}
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

const schemasOf = (offered: readonly Offered[]): readonly string[] =>
  [...new Set(offered.flatMap(({ schema }) => (schema === null ? [] : [schema])))].toSorted();

const kindsOf = (offered: readonly Offered[]): readonly string[] =>
  [...new Set(offered.map(({ type }) => type))].toSorted();
