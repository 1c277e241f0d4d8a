import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { offeredTypes, type ChartTheme } from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import {
  closeIcon,
  createLoad,
  elementOf,
  errorState,
  loadingState,
  moreIcon,
  selectField,
  textField,
  type ConsoleContext,
} from "../../parts/index.ts";
import {
  colorSlotOf,
  itemTitle,
  nameOf,
  openFilter,
  readDataset,
  type ExploredColumn,
  type ExploredDataset,
  type Question,
  type Shelf,
} from "../../questions/index.ts";
import {
  addColumn,
  moveColumn,
  shelvesView,
  withFilter,
  type ColumnList,
  type DraggedColumn,
} from "../../shelves/index.ts";
import { cellLookFields } from "./cellLookFields.ts";
import { colorFields } from "./colorFields.ts";
import { withItem, withTitle, type BoardItem, type BoardView, type Contents } from "./contents.ts";
import { controlFields } from "./controlFields.ts";
import { datasetField, pickDataset, readOnlyDataset } from "./datasetField.ts";
import { isFilter } from "./filterBar.ts";
import { formatFields } from "./formatFields.ts";
import { readItemQuestion, withItemQuestion, type ItemQuestion } from "./itemQuestion.ts";
import { lookFields, type ChangeItem } from "./lookFields.ts";
import { orderFields } from "./orderFields.ts";
import { placeFields } from "./placeFields.ts";
import { retyped } from "./retyped.ts";
import { tableFields } from "./tableFields.ts";
import { words } from "./words.ts";

const offered = offeredTypes("dashboards");

/**
 * The panel beside the item that is selected: the shelves of its question, and its look. Each change goes to `onChange`
 * with the contents that it results in.
 */
export class ItemPanel extends LitElement {
  static override properties = {
    context: { attribute: false },
    contents: { attribute: false },
    view: { attribute: false },
    item: { attribute: false },
    mayAsk: { attribute: false },
    isAutomatic: { attribute: false },
    usualDataset: { attribute: false },
    theme: { attribute: false },
    chosenDataset: { state: true },
  };
  declare context: ConsoleContext;
  declare contents: Contents;
  declare view: BoardView;
  declare item: BoardItem;
  /** Whether the reader may change what the item shows, and not only its look. */
  declare mayAsk: boolean;
  /** Whether the type of the chart follows its columns, because the reader has not chosen one. */
  declare isAutomatic: boolean;
  /** Id of the dataset that a new chart probably uses; "" if the reader has to choose. */
  declare usualDataset: string;
  /** The theme of the dashboard, whose colours the item has until it has its own. */
  declare theme: ChartTheme | undefined;
  declare onChange: (contents: Contents, step?: string) => void;
  /** Called when the reader chooses the type of the chart. */
  declare onType: () => void;
  declare onClose: () => void;
  /** Opens the menu of the item below a button. */
  declare onMenu: (button: HTMLElement) => void;
  /** Opens the item's own filters, for items without shelves. */
  declare onFilters: () => void;
  /** The dataset that the reader chose for an item without columns. */
  declare private chosenDataset: string;
  private datasetId = "";
  private readonly chosen = createLoad<ExploredDataset | "gone">(
    this,
    async (signal) => (await readDataset(this.context.api, this.datasetId, signal)) ?? "gone",
  );
  /** The only dataset that the reader can see, which a new chart uses. */
  private readonly only = createLoad<string>(this, async (signal) => {
    const id = (await readOnlyDataset(this.context.api, signal)) ?? "";
    if (this.newDataset === "") this.chosenDataset = id;
    return id;
  });

  constructor() {
    super();
    this.chosenDataset = "";
    this.usualDataset = "";
    this.mayAsk = true;
    this.isAutomatic = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before: unknown = changed.get("item");
    const isOther = changed.has("item") && idOf(before) !== this.item.id;
    if (isOther && this.chosenDataset !== "" && before !== undefined) this.chosenDataset = "";
    const read = this.read();
    const wanted = typeof read === "string" ? "" : (read.datasetId ?? this.newDataset);
    if (wanted !== this.datasetId) {
      this.datasetId = wanted;
      this.chosen.clear();
      if (wanted !== "") void this.chosen.start();
    }
    const needsDataset = typeof read !== "string" && wanted === "";
    if (needsDataset && !this.isLooking) {
      this.isLooking = true;
      void this.only.start();
    }
  }

  private isLooking = false;

  /** Id of the dataset whose columns are offered for an item without columns. */
  private get newDataset(): string {
    return this.chosenDataset || this.usualDataset;
  }

  /** Moves the focus to the columns that the reader can add, or to the choice of their dataset, once they are there. */
  focusFirst(): void {
    this.wantsFocus = true;
    this.requestUpdate();
  }

  private wantsFocus = false;

  protected override updated(changed: PropertyValues): void {
    const before: unknown = changed.get("item");
    if (before !== undefined && idOf(before) !== this.item.id)
      this.querySelector(".item-panel")?.scrollTo(0, 0);
    if (!this.wantsFocus) return;
    const list = this.querySelector<ColumnList>("console-column-list");
    const isAsking = this.mayAsk && typeof this.read() !== "string" && !this.hasFailed;
    const first = this.querySelector<HTMLElement>(isAsking ? "#item-dataset" : "#item-title");
    // The columns or the datasets are still loading.
    if (!list && (!first || (isAsking && this.datasetId !== ""))) return;
    this.wantsFocus = false;
    if (list) void list.updateComplete.then(() => list.querySelector("input")?.focus());
    else first?.focus();
  }

  /** Whether the columns cannot be shown. */
  private get hasFailed(): boolean {
    const { chosen, only } = this;
    return chosen.failure !== undefined || chosen.value === "gone" || only.failure !== undefined;
  }

  private read(): ReturnType<typeof readItemQuestion> {
    return readItemQuestion(this.contents, this.view, this.item);
  }

  private readonly put: ChangeItem = (item, step) => {
    const { contents, view } = this;
    this.onChange(withItem(contents, view, item), step && `${item.id} ${step}`);
  };

  protected override render(): TemplateResult {
    const { item } = this;
    const isChart = !isFilter(item) && item.type !== "text" && item.type !== "spacer";
    const isNew = this.isAutomatic && (item.slots ?? []).length === 0;
    return html`<aside
      class="item-panel surface"
      aria-label=${words.item}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === "Escape" && !event.defaultPrevented) this.onClose();
      }}
    >
      <div class="panel-head">
        <h2 class="grow truncate">
          ${isNew ? words.newChart : itemTitle(item.type) || words.item}
        </h2>
        <button
          class="button quiet icon"
          aria-label=${words.itemMenu}
          aria-haspopup="menu"
          @click=${(event: Event) => this.onMenu(elementOf(event.currentTarget, HTMLElement))}
        >
          ${moreIcon}
        </button>
        <button class="button quiet icon" aria-label=${words.closePanel} @click=${this.onClose}>
          ${closeIcon}
        </button>
      </div>
      ${textField({
        id: "item-title",
        label: words.itemTitle,
        value: textOf(item.options?.["title"]),
        ...(isChart && { placeholder: words.automaticTitle }),
        onInput: (title) => this.put(withTitle(item, title), "title"),
      })}
      ${isChart ? this.renderData() : nothing}
      ${
        isFilter(item)
          ? controlFields({
              contents: this.contents,
              view: this.view,
              item,
              onItem: this.put,
              onContents: this.onChange,
            })
          : nothing
      }
      ${this.renderLook()} ${placeFields(item, this.put)}
    </aside>`;
  }

  private renderData(): TemplateResult {
    const { item } = this;
    const read = this.read();
    const types = offered.some((type) => type === item.type)
      ? offered
      : ([item.type, ...offered] as const);
    const isExpressible = typeof read !== "string";
    return html`<section class="panel-part" aria-label=${words.parts.data}>
      ${
        isExpressible || offered.some((type) => type === item.type)
          ? selectField({
              id: "item-type",
              label: words.itemType,
              value: this.isAutomatic ? "" : item.type,
              choices: [
                ...(this.isAutomatic
                  ? [{ value: "", label: words.automaticType(itemTitle(item.type)) }]
                  : []),
                ...types.map((type) => ({ value: type, label: itemTitle(type) || type })),
              ],
              onSelect: (type) => this.changeType(type, read),
            })
          : nothing
      }
      ${
        !this.mayAsk
          ? nothing
          : isExpressible
            ? this.renderQuestion(read)
            : html`<p class="muted small">${words.inexpressible[read]}</p>
                <button class="button" @click=${this.onFilters}>${words.filtersOfItem}</button>`
      }
      ${item.slots && item.slots.length > 0 ? orderFields(item, this.put) : nothing}
    </section>`;
  }

  private changeType(type: string, read: ReturnType<typeof readItemQuestion>): void {
    if (type === "") return;
    const { contents, view, item } = this;
    this.onType();
    if (typeof read === "string") return this.put({ ...item, type });
    const { value } = this.chosen;
    const known = value === undefined || value === "gone" ? undefined : value;
    // Columns that the reader cannot see move to the slots of the new type, too.
    const dataset = known ?? {
      id: this.datasetId,
      name: "",
      rows: null,
      storage: null,
      columns: [],
    };
    const change = { contents, view, item, before: read, dataset, isAutomatic: false };
    this.onChange(withItemQuestion(change, retyped(read, type, dataset)));
  }

  private renderQuestion(read: ItemQuestion): TemplateResult {
    const { chosen } = this;
    const { value } = chosen;
    const choosing =
      read.datasetId === undefined
        ? datasetField({
            name: value === undefined || value === "gone" ? "" : nameOf(value),
            onChoose: () => void this.chooseDataset(),
          })
        : nothing;
    if (this.datasetId === "") return this.only.show(() => html`${choosing}`);
    if (chosen.failure !== undefined) return errorState(chosen.failure, () => void chosen.start());
    if (value === undefined) return html`${choosing}${loadingState(4)}`;
    if (value === "gone") return html`<p class="muted small">${words.datasetGone}</p>`;
    const columns = columnsOf(read, value);
    return html`${choosing}
      ${
        read.datasetId === undefined
          ? nothing
          : html`<p class="panel-dataset truncate small muted">${nameOf(value)}</p>`
      }
      ${shelvesView({
        question: read.question,
        columns,
        shelves: shelvesOf(this.isAutomatic ? undefined : this.item.type),
        ...(this.item.type === "pivot-table" && { names: { color: words.pivotColumns } }),
        change: (question) => this.ask(read, value, question),
        onFilter: (column, index) => void this.filter(read, value, column, index),
        onDrop: (shelf, dragged) => this.drop(read, value, shelf, dragged),
      })}
      ${read.hasOtherFilters ? html`<p class="muted small">${words.otherFilters}</p>` : nothing}
      <console-column-list
        .columns=${value.columns}
        .onAdd=${(id: string, shelf?: Shelf) => this.add(read, value, id, shelf)}
      ></console-column-list>`;
  }

  private async chooseDataset(): Promise<void> {
    const dataset = await pickDataset(this.context.api);
    if (!dataset) return;
    this.chosenDataset = dataset.id;
    this.focusFirst();
  }

  private ask(before: ItemQuestion, dataset: ExploredDataset, question: Question): void {
    const { contents, view, item, isAutomatic } = this;
    if (question === before.question) return;
    const change = { contents, view, item, before, dataset, isAutomatic };
    this.onChange(withItemQuestion(change, question));
  }

  private add(read: ItemQuestion, dataset: ExploredDataset, id: string, shelf?: Shelf): void {
    const column = dataset.columns.find((each) => each.id === id);
    if (shelf === "filters") {
      if (column) void this.filter(read, dataset, column);
    } else if (id === "*" || column)
      this.ask(read, dataset, addColumn(read.question, column, shelf));
  }

  private drop(
    read: ItemQuestion,
    dataset: ExploredDataset,
    shelf: Shelf,
    dragged: DraggedColumn,
  ): void {
    if (shelf === "filters" || !dragged.from) return this.add(read, dataset, dragged.id, shelf);
    const column = dataset.columns.find(({ id }) => id === dragged.id);
    this.ask(read, dataset, moveColumn(read.question, dragged, shelf, column));
  }

  private async filter(
    read: ItemQuestion,
    dataset: ExploredDataset,
    column: ExploredColumn,
    index = -1,
  ): Promise<void> {
    const { api } = this.context;
    const known = read.question.filters[index];
    const filter = await openFilter({ api, datasetId: dataset.id, column, filter: known });
    // The question may have changed while the dialog was open.
    const now = this.read();
    if (filter && typeof now !== "string")
      this.ask(now, dataset, withFilter(now.question, filter, index));
  }

  private renderLook(): TemplateResult | typeof nothing {
    const { item, put, theme } = this;
    // A text is nothing but its title.
    if (item.type === "text" || item.type === "spacer") return nothing;
    const isTable = item.type === "regular-table" || item.type === "pivot-table";
    const isControl = isFilter(item);
    return html`<details class="panel-part" open>
      <summary>${words.parts.look}</summary>
      <div class="panel-fields">
        ${
          isControl
            ? nothing
            : [
                colorFields(item, theme, put),
                ...formatFields(item, put, () => this.requestUpdate()),
              ]
        }
        ${lookFields(item, theme?.background, put)} ${isTable ? tableFields(item, put) : nothing}
        ${isTable ? cellLookFields(item, put) : nothing}
      </div>
    </details>`;
  }
}

const idOf = (item: unknown): unknown =>
  typeof item === "object" && item !== null && "id" in item ? item.id : undefined;

/** Returns the columns of a dataset, and those of an item that the dataset does not list. */
function columnsOf(
  { named }: ItemQuestion,
  { columns }: ExploredDataset,
): ReadonlyMap<string, ExploredColumn> {
  const absent = {
    description: null,
    subtype: null,
    format: null,
    expression: null,
    lowestLevel: 0,
    minimum: null,
    maximum: null,
    aggregation_type: null,
    order: 0,
  };
  return new Map([
    ...[...named].map(([id, each]) => [id, { ...absent, ...each }] as const),
    ...columns.map((column) => [column.id, column] as const),
  ]);
}

/** Returns the shelves of an item type. Not every type has a place for a colour, and lists have no values. */
function shelvesOf(type: string | undefined): readonly Shelf[] {
  const all: readonly Shelf[] = ["rows", "measures", "color", "filters"];
  const known = offered.find((each) => each === type);
  return known === undefined || colorSlotOf(known) !== undefined
    ? all
    : all.filter((shelf) => shelf !== "color");
}
