import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ApiFailure, messageOf, type Api } from "../../../api/index.ts";
import { isolated, writeNumber } from "../../../language/index.ts";
import { createLoad, notify, selectField } from "../../../parts/index.ts";
import { nameOf, type FilteredColumn } from "../../../questions/index.ts";
import {
  countRows,
  describeFilters,
  filtersOf,
  firstChoice,
  isComplete,
  mustKeep,
  readPickedColumns,
  rowFields,
  sharesOf,
  type Access,
  type DatasetChoice,
  type Recipient,
  type Right,
  type RowFilter,
  type RowFilterColumns,
  type RowMode,
  type SharedDataset,
} from "../../../sharing/index.ts";
import type { Contents } from "../contents.ts";
import { chartsWithout } from "./chartsWithout.ts";
import { recipientName } from "./recipientName.ts";
import { storeShare } from "./storeShare.ts";
import { words } from "./words.ts";

/** Number of rows that a recipient sees; undefined if it depends on the person, null while it is counted. */
type Count = number | undefined | null;

/**
 * What one person or group gets: the right on the dashboard, and the rows of each dataset behind it. Stores everything
 * at once. Properties: `api`, `access`, `contents`, `recipient`, `columns`, `onDone`, `onFailed`.
 */
export class ShareForm extends LitElement {
  static override properties = {
    api: { attribute: false },
    access: { attribute: false },
    contents: { attribute: false },
    recipient: { attribute: false },
    columns: { attribute: false },
    choices: { state: true },
    right: { state: true },
    counts: { state: true },
    isStoring: { state: true },
    failure: { state: true },
  };
  declare api: Api;
  declare access: Access;
  declare contents: Contents;
  declare recipient: Recipient;
  declare columns: RowFilterColumns;
  /** Called when the share is stored, and when the reader goes back. */
  declare onDone: (isStored: boolean) => void;
  /** Called when the share could not be stored, so that the access is read again. */
  declare onFailed: () => void;
  declare private choices: readonly DatasetChoice[];
  declare private right: Right;
  declare private counts: ReadonlyMap<string, Count>;
  declare private isStoring: boolean;
  declare private failure: string;
  private readonly totals = new Map<string, Promise<number | undefined>>();
  private readonly shown = new Map<string, { total: number; key: string }>();
  private readonly pickable = createLoad(this, async (signal) => {
    const read = this.owned.map(
      async ({ id }) => [id, await readPickedColumns(this.api, id, signal)] as const,
    );
    return new Map<string, readonly FilteredColumn[]>(await Promise.all(read));
  });

  constructor() {
    super();
    [this.choices, this.right, this.isStoring, this.failure] = [[], "use", false, ""];
    this.counts = new Map();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get owned(): readonly SharedDataset[] {
    return this.access.datasets.filter(({ right }) => right === "own");
  }

  private get stored() {
    const { id, kind } = this.recipient;
    return this.access.holders.find((each) => each.id === id && each.kind === kind);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("recipient")) {
      if (changed.has("access"))
        this.choices = this.choices.map((each) => ({ ...each, stored: this.storedOf(each) }));
      return;
    }
    const { stored, columns } = this;
    this.right = stored && stored.right !== "read" ? stored.right : "use";
    this.choices = this.owned.map(({ id: datasetId }) =>
      firstChoice({
        datasetId,
        stored: this.storedOf({ datasetId }),
        isNew: stored === undefined,
        columns,
      }),
    );
    void this.pickable.start();
    for (const choice of this.choices) void this.count(choice);
  }

  /** Returns the share of a dataset with the recipient. */
  private storedOf({ datasetId }: Pick<DatasetChoice, "datasetId">) {
    const dataset = this.owned.find(({ id }) => id === datasetId);
    return dataset && sharesOf(dataset, this.recipient, []).direct;
  }

  /** Returns the filters of other shares that apply to the recipient as well. */
  private otherFilters(datasetId: string): readonly RowFilter[] {
    const dataset = this.owned.find(({ id }) => id === datasetId);
    if (!dataset) return [];
    const { others } = sharesOf(dataset, this.recipient, this.access.memberships);
    return others.flatMap(({ filters }) => filters ?? []);
  }

  /** Counts the rows that the recipient sees with a choice. A count that is no longer wanted is dropped. */
  private async count(choice: DatasetChoice): Promise<void> {
    const { datasetId } = choice;
    const filters = filtersOf(choice);
    const key = JSON.stringify(filters ?? null);
    this.shown.set(datasetId, { total: this.shown.get(datasetId)?.total ?? 0, key });
    if (!filters) return;
    this.counts = new Map([...this.counts, [datasetId, null]]);
    try {
      const all = this.totals.get(datasetId) ?? countRows(this.api, datasetId, []);
      this.totals.set(datasetId, all);
      const wanted = [...filters, ...this.otherFilters(datasetId)];
      const counted = wanted.length === 0 ? all : countRows(this.api, datasetId, wanted);
      const [total, count] = await Promise.all([all, counted]);
      if (this.shown.get(datasetId)?.key !== key) return;
      this.shown.set(datasetId, { total: total ?? 0, key });
      this.counts = new Map([...this.counts, [datasetId, count]]);
    } catch (failure) {
      this.failure = messageOf(failure);
    }
  }

  private choose(choice: DatasetChoice): void {
    this.choices = this.choices.map((each) =>
      each.datasetId === choice.datasetId ? choice : each,
    );
    void this.count(choice);
  }

  private async store(): Promise<void> {
    if (this.isStoring) return;
    [this.isStoring, this.failure] = [true, ""];
    const { api, access, recipient, right, choices } = this;
    try {
      await storeShare(api, { dashboardId: access.id, recipient, right, choices });
      notify({ text: words.shared(isolated(recipientName(recipient))) });
      this.onDone(true);
    } catch (failure) {
      const isRefused =
        failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500;
      const outcome = isRefused ? words.nothingChanged : words.mayBeStored;
      this.failure = `${messageOf(failure)} ${outcome}`;
      this.onFailed();
    } finally {
      this.isStoring = false;
    }
  }

  protected override render(): TemplateResult {
    const { recipient, stored, right, choices, access, isStoring, failure } = this;
    const name = recipientName(recipient);
    const rights = stored?.right === "own" ? (["own"] as const) : (["use", "modify"] as const);
    return html`<div class="stack" role="group" aria-label=${words.add}>
      <div class="row">
        <span class="grow share-recipient">
          <strong>${name}</strong>
          ${
            recipient.email && recipient.email !== name
              ? html`<span class="muted small">${recipient.email}</span>`
              : nothing
          }
        </span>
        <button class="button quiet" @click=${() => this.onDone(false)}>${words.back}</button>
      </div>
      ${selectField({
        id: "share-right",
        label: words.right,
        value: right,
        choices: rights.map((value) => ({ value, label: words.rights[value] })),
        onSelect: (value) => {
          this.right = rights.find((each) => each === value) ?? right;
        },
      })}
      ${access.datasets.length === 0 ? html`<p class="muted">${words.noDatasets}</p>` : nothing}
      ${choices.map((choice) => this.renderChoice(choice))}
      ${access.datasets
        .filter((each) => each.right !== "own")
        .map(
          (each) =>
            html`<p class="muted">
              ${words.foreign(isolated(nameOf(each)), this.chartsOf(each.id))}
            </p>`,
        )}
      ${access.unseen_dataset_count > 0 ? html`<p class="muted">${words.unseen(access.unseen_dataset_count)}</p>` : nothing}
      ${failure === "" ? nothing : html`<p class="failure" role="alert">${failure}</p>`}
      <div class="row share-foot">
        <button
          class="button primary"
          ?disabled=${isStoring || !choices.every(isComplete)}
          @click=${() => void this.store()}
        >
          ${isStoring ? words.sharing : stored ? words.save : words.share(isolated(name))}
        </button>
      </div>
    </div>`;
  }

  private chartsOf(datasetId: string): string {
    return chartsWithout(this.contents, datasetId).map(isolated).join(", ");
  }

  private renderChoice(choice: DatasetChoice): TemplateResult {
    const { datasetId } = choice;
    const dataset = this.owned.find(({ id }) => id === datasetId);
    if (!dataset) return html``;
    const modes: readonly RowMode[] = [
      "all",
      "some",
      ...(mustKeep(choice.stored, this.columns) ? (["kept"] as const) : []),
      "none",
    ];
    return rowFields({
      api: this.api,
      name: nameOf(dataset),
      choice,
      modes,
      columns: this.pickable.value?.get(datasetId) ?? [],
      note: this.renderCount(choice, dataset),
      onChange: (next) => this.choose(next),
    });
  }

  private renderCount(choice: DatasetChoice, dataset: SharedDataset): TemplateResult {
    const { others } = sharesOf(dataset, this.recipient, this.access.memberships);
    if (choice.mode === "none") {
      const charts = this.chartsOf(dataset.id);
      if (others.length > 0) return html`${words.seesElsewhere}`;
      return html`${charts === "" ? words.seesNothing : words.without(charts)}`;
    }
    if (!isComplete(choice)) return html`<span class="muted">${words.cannotChoose}</span>`;
    const count = this.counts.get(dataset.id);
    if (count === null) return html`<span class="muted">${words.counting}</span>`;
    const limits = others.filter(({ filters }) => (filters ?? []).length > 0);
    const also = limits.map((each) =>
      words.also(describeFilters(each.filters ?? [], this.columns), isolated(recipientName(each))),
    );
    const total = writeNumber(this.shown.get(dataset.id)?.total ?? 0);
    const seen =
      count === undefined
        ? words.seesPersonal
        : count === this.shown.get(dataset.id)?.total
          ? words.seesAll(total)
          : words.sees(writeNumber(count), total);
    const kept =
      choice.mode === "kept"
        ? words.onlyAt(describeFilters(choice.stored?.filters ?? [], this.columns))
        : "";
    return html`${isolated(recipientName(this.recipient))} <strong>${seen}</strong> ${kept}
      ${also.map((text) => html`<span class="muted"> ${text}</span>`)}`;
  }
}
