import { html, type PropertyValues, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { readItem } from "../../../charts/index.ts";
import { writeNumber } from "../../language/index.ts";
import {
  backIcon,
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  elementOf,
  emptyState,
  errorState,
  notify,
  notifyFailure,
  openMenu,
  type Command,
  type MenuItem,
} from "../../parts/index.ts";
import { askItem, ConsolePicture, type AskedItem } from "../../pictures/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import {
  nameOf,
  readDataset,
  type ExploredColumn,
  type ExploredDataset,
  emptyQuestion,
  readQuestion,
  writeQuestion,
  type Filter,
  type Grouping,
  type Question,
  type Shelf,
  chooseChart,
  itemOf,
  whereOf,
} from "../../questions/index.ts";
import { answerColumns } from "./answerColumns.ts";
import { addColumn } from "./changeQuestion.ts";
import { ColumnList } from "./columnList.ts";
import { DatasetList } from "./datasetList.ts";
import { openFilter } from "./openFilter.ts";
import { openRequest } from "./openRequest.ts";
import { planView } from "./planView.ts";
import { saveToDashboard } from "./saveToDashboard.ts";
import { shelfRow, type Chip } from "./shelfRow.ts";
import { exploreStyles } from "./styles.ts";
import { words } from "./words.ts";

const views = ["both", "chart", "table", "plan"] as const;
type View = (typeof views)[number];
const viewOf = (id: string | null): View => views.find((view) => view === id) ?? "both";
const exportTypes = ["csv", "xlsx", "parquet", "json"] as const;

/** The explorer: a dataset is chosen, then asked by putting its columns on shelves. The address holds the question. */
export class ExplorePage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    asked: { state: true },
    failure: { state: true },
    isAsking: { state: true },
  };
  declare private asked: AskedItem | undefined;
  declare private failure: unknown;
  declare private isAsking: boolean;
  private readonly chosen = createLoad<ExploredDataset | "gone">(
    this,
    async (signal) => (await readDataset(this.context.api, this.datasetId, signal)) ?? "gone",
  );
  private datasetId = "";
  private question: Question = emptyQuestion;
  private running: AbortController | undefined;
  /** Written questions that undo and redo go to. */
  private past: readonly string[] = [];
  private future: readonly string[] = [];

  constructor() {
    super();
    this.isAsking = false;
    define("console-dataset-list", DatasetList);
    define("console-column-list", ColumnList);
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    adoptStyles(exploreStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.undoByKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.undoByKey);
    this.running?.abort();
  }

  override get commands(): readonly Command[] {
    if (this.datasetId === "") return [];
    const kind = words.title;
    return [
      { label: words.save, kind, run: () => void this.save() },
      { label: words.requestTitle, kind, run: () => this.showRequest() },
      ...[...this.columns.values()].map((column) => ({
        label: nameOf(column),
        kind: words.columns,
        run: () => this.add(column.id),
      })),
    ];
  }

  private get columns(): ReadonlyMap<string, ExploredColumn> {
    const { value } = this.chosen;
    const columns = value === undefined || value === "gone" ? [] : value.columns;
    return new Map(columns.map((column) => [column.id, column]));
  }

  private get view(): View {
    return viewOf(this.place.query.get("view"));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("place")) return;
    const [, datasetId = ""] = this.place.parts;
    const question = readQuestion(this.place.query.get("q"));
    const isOther = datasetId !== this.datasetId;
    if (isOther) {
      this.datasetId = datasetId;
      [this.past, this.future, this.asked] = [[], [], undefined];
      if (datasetId !== "") void this.chosen.start().then(() => this.ask());
    }
    const isSame = writeQuestion(question) === writeQuestion(this.question);
    this.question = question;
    if (!isOther && !isSame && datasetId !== "") void this.ask();
  }

  /** Asks the question of the address; the answer of a former one is never shown for it. */
  private async ask(): Promise<void> {
    this.running?.abort();
    const dataset = this.chosen.value;
    const { question } = this;
    if (dataset === undefined || dataset === "gone") return;
    this.nameWindow(nameOf(dataset));
    if (question.rows.length + question.measures.length === 0 && !question.color) {
      [this.asked, this.failure, this.isAsking] = [undefined, undefined, false];
      return;
    }
    const own = new AbortController();
    this.running = own;
    this.isAsking = true;
    try {
      const item = readItem(itemOf(question, dataset));
      const where = whereOf(question.filters, dataset.id);
      const asked = await askItem(this.context.api, item, { where, signal: own.signal });
      if (this.running !== own) return;
      [this.asked, this.failure] = [asked, undefined];
    } catch (failure) {
      if (this.running !== own) return;
      [this.asked, this.failure] = [undefined, failure];
    }
    this.isAsking = false;
  }

  /** Goes to another question, as a step that undo takes back. */
  private change(question: Question): void {
    this.past = [...this.past, writeQuestion(this.question)];
    this.future = [];
    this.goTo(writeQuestion(question));
  }

  private goTo(written: string, view: View = this.view): void {
    const query = new URLSearchParams();
    if (written !== "") query.set("q", written);
    if (view !== "both") query.set("view", view);
    const search = query.size > 0 ? `?${query.toString()}` : "";
    this.context.places.go(`/explore/${encodeURIComponent(this.datasetId)}${search}`, {
      replaces: true,
    });
  }

  private undo(): void {
    const before = this.past.at(-1);
    if (before === undefined) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, writeQuestion(this.question)];
    this.goTo(before);
  }

  private redo(): void {
    const after = this.future.at(-1);
    if (after === undefined) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, writeQuestion(this.question)];
    this.goTo(after);
  }

  private readonly undoByKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof HTMLInputElement && event.target.value !== "";
    if (isField || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (event.shiftKey) this.redo();
    else this.undo();
  };

  private readonly add = (id: string, shelf?: Shelf): void => {
    const column = this.columns.get(id);
    if (shelf === "filters") {
      if (column) void this.filter(column);
      return;
    }
    if (id !== "*" && !column) return;
    this.change(addColumn(this.question, column, shelf));
  };

  private async filter(column: ExploredColumn, index = -1): Promise<void> {
    const { api } = this.context;
    const known = this.question.filters[index];
    const options = { api, datasetId: this.datasetId, column, filter: known };
    const filter = await openFilter(options);
    if (!filter) return;
    const { filters } = this.question;
    const next = known
      ? filters.map((each, at) => (at === index ? filter : each))
      : [...filters, filter];
    this.change({ ...this.question, filters: next });
  }

  private async save(): Promise<void> {
    const { value } = this.chosen;
    if (value === undefined || value === "gone") return;
    try {
      const item = itemOf(this.question, value);
      const where = whereOf(this.question.filters, value.id);
      const saved = await saveToDashboard(this.context.api, item, where);
      if (saved) notify({ text: words.saved(saved.name) });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private showRequest(): void {
    if (this.asked) void openRequest(this.asked.query, window.location.origin);
  }

  private async download(type: string): Promise<void> {
    const dataset = this.chosen.value;
    if (!this.asked || !dataset || dataset === "gone") return;
    try {
      const { limit: _, ...query } = this.asked.query;
      const properties = { type, query, deliver: "file" };
      const file = await this.context.api.file("dataexport", "create", { properties });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = `${nameOf(dataset)}.${type}`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    if (this.datasetId === "")
      return html`<console-dataset-list
        .context=${this.context}
        .search=${this.place.query.get("search") ?? ""}
      ></console-dataset-list>`;
    const { value, failure } = this.chosen;
    if (value === undefined || value === "gone" || failure !== undefined)
      return html`<div class="page">
        ${this.chosen.show(() =>
          emptyState({
            title: words.gone,
            text: words.goneText,
            action: html`<a class="button" href="/explore">${words.allDatasets}</a>`,
          }),
        )}
      </div>`;
    return html`<div class="explore">
      <aside class="explore-columns" aria-label=${words.columns}>
        <a class="small back" href="/explore">${backIcon}${words.allDatasets}</a>
        <h1 class="truncate" title=${nameOf(value)}>${nameOf(value)}</h1>
        <console-column-list .columns=${value.columns} .onAdd=${this.add}></console-column-list>
      </aside>
      <section class="work" aria-label=${words.answer}>
        ${this.renderHead()} ${this.renderShelves()} ${this.renderAnswer()} ${this.renderStatus()}
      </section>
    </div>`;
  }

  private renderHead(): TemplateResult {
    const { question, columns } = this;
    const hasAnswer = this.asked !== undefined;
    const automatic = chooseChart({ ...question, chart: "" }, columns);
    return html`<div class="work-head">
      <select
        class="input"
        aria-label=${words.chart}
        @change=${(event: Event) =>
          this.change({ ...question, chart: elementOf(event.target, HTMLSelectElement).value })}
      >
        <option value="" ?selected=${question.chart === ""}>
          ${words.automatic(words.charts[automatic])}
        </option>
        ${Object.entries(words.charts).map(
          ([type, label]) =>
            html`<option value=${type} ?selected=${question.chart === type}>${label}</option>`,
        )}
      </select>
      <select
        class="input"
        aria-label=${words.view}
        @change=${(event: Event) =>
          this.goTo(
            writeQuestion(question),
            viewOf(elementOf(event.target, HTMLSelectElement).value),
          )}
      >
        ${views.map(
          (view) =>
            html`<option value=${view} ?selected=${view === this.view}>
              ${words.views[view]}
            </option>`,
        )}
      </select>
      <span class="grow"></span>
      <button class="button quiet" ?disabled=${this.past.length === 0} @click=${() => this.undo()}>
        ${words.undo}
      </button>
      <button
        class="button quiet"
        ?disabled=${this.future.length === 0}
        @click=${() => this.redo()}
      >
        ${words.redo}
      </button>
      <button
        class="button quiet"
        aria-haspopup="menu"
        ?disabled=${!hasAnswer}
        @click=${(event: Event) =>
          openMenu(
            elementOf(event.currentTarget, HTMLElement),
            words.export,
            exportTypes.map((type) => ({
              label: type.toUpperCase(),
              run: () => void this.download(type),
            })),
          )}
      >
        ${words.export}
      </button>
      <a
        class="button"
        href="/alerts/new?dataset=${this.datasetId}&q=${encodeURIComponent(writeQuestion(question))}"
        aria-disabled=${ifDefined(hasAnswer ? undefined : "true")}
        >${words.alert}</a
      >
      <button class="button primary" ?disabled=${!hasAnswer} @click=${() => void this.save()}>
        ${words.save}
      </button>
    </div>`;
  }

  private labelOf({ id, level }: Grouping): string {
    const column = this.columns.get(id);
    const name = column ? nameOf(column) : id;
    return level === undefined || column?.type !== "datetime"
      ? name
      : `${name}: ${(words.levels[level] ?? "").toLocaleLowerCase()}`;
  }

  private nameOfColumn(id: string | undefined): string {
    const column = id === undefined ? undefined : this.columns.get(id);
    return column ? nameOf(column) : (id ?? "?");
  }

  private chipOf(grouping: Grouping, put: (grouping: Grouping | undefined) => Question): Chip {
    const column = this.columns.get(grouping.id);
    return {
      label: this.labelOf(grouping),
      remove: () => this.change(put(undefined)),
      change: (button) => {
        const levels: readonly MenuItem[] =
          column?.type === "datetime"
            ? words.levels.flatMap((label, level) =>
                level > 0 && (!column.lowestLevel || level <= column.lowestLevel)
                  ? [{ label, run: () => this.change(put({ ...grouping, level })) }]
                  : [],
              )
            : [];
        openMenu(button, this.labelOf(grouping), [
          ...levels,
          ...(levels.length > 0 ? (["separator"] as const) : []),
          { label: words.remove(this.labelOf(grouping)), run: () => this.change(put(undefined)) },
        ]);
      },
    };
  }

  private renderShelves(): TemplateResult {
    const { question } = this;
    const { rows, color, measures, filters } = question;
    const replace = <Entry>(list: readonly Entry[], at: number, entry: Entry | undefined) =>
      list.flatMap((each, index) => (index === at ? (entry ? [entry] : []) : [each]));
    const rowChips = rows.map((grouping, index) =>
      this.chipOf(grouping, (next) => ({ ...question, rows: replace(rows, index, next) })),
    );
    const colorChips = color ? [this.chipOf(color, (next) => ({ ...question, color: next }))] : [];
    const measureChips = measures.map(({ id, aggregation }, index): Chip => {
      const put = (next: string | undefined) =>
        this.change({
          ...question,
          measures: replace(
            measures,
            index,
            next === undefined ? undefined : { id, aggregation: next },
          ),
        });
      const name = id === "*" ? words.countRows : this.nameOfColumn(id);
      const label = id === "*" ? name : `${words.aggregations[aggregation] ?? aggregation} ${name}`;
      const isNumber = this.columns.get(id)?.type === "numeric";
      const choices =
        id === "*"
          ? []
          : Object.keys(words.aggregations).filter(
              (each) => isNumber || ["count", "distinctcount", "min", "max"].includes(each),
            );
      return {
        label,
        remove: () => put(undefined),
        change: (button) =>
          openMenu(button, label, [
            ...choices.map((each) => ({
              label: words.aggregations[each] ?? each,
              run: () => put(each),
            })),
            ...(choices.length > 0 ? (["separator"] as const) : []),
            { label: words.remove(label), run: () => put(undefined) },
          ]),
      };
    });
    const filterChips = filters.map((filter, index): Chip => {
      const column = this.columns.get(filter.id);
      return {
        label: `${this.nameOfColumn(filter.id)} ${words.tests[filter.test] ?? filter.test} ${describe(filter)}`,
        remove: () => this.change({ ...question, filters: replace(filters, index, undefined) }),
        change: () => {
          if (column) void this.filter(column, index);
        },
      };
    });
    return html`<div class="shelves">
      ${shelfRow({ shelf: "rows", chips: rowChips, onDrop: (id) => this.add(id, "rows") })}
      ${shelfRow({ shelf: "measures", chips: measureChips, onDrop: (id) => this.add(id, "measures") })}
      ${shelfRow({ shelf: "color", chips: colorChips, onDrop: (id) => this.add(id, "color") })}
      ${shelfRow({ shelf: "filters", chips: filterChips, onDrop: (id) => this.add(id, "filters") })}
    </div>`;
  }

  private renderAnswer(): TemplateResult {
    const { asked, failure, view } = this;
    if (failure !== undefined)
      return html`<div class="answer">${errorState(failure, () => void this.ask())}</div>`;
    if (!asked)
      return html`<div class="answer">
        ${this.isAsking ? "" : emptyState({ title: words.start, text: words.startText })}
      </div>`;
    if (view === "plan")
      return html`<div class="answer">
        ${planView({ asked, nameOfColumn: (id) => this.nameOfColumn(id) })}
      </div>`;
    return html`<div class="answer ${view} ${this.isAsking ? "asking" : ""}" tabindex="-1">
      ${
        view === "table"
          ? ""
          : html`<console-picture
              .picture=${{ item: asked.item, state: { kind: "answer", fields: asked.fields, rows: asked.rows } }}
              .theme=${this.context.theme}
            ></console-picture>`
      }
      ${
        view === "chart"
          ? ""
          : html`<console-table
              .label=${words.views.table}
              .columns=${answerColumns(asked)}
              .rows=${asked.rows}
              .height=${900}
            ></console-table>`
      }
    </div>`;
  }

  private renderStatus(): TemplateResult {
    const { asked } = this;
    const { answer } = asked ?? {};
    const explain = answer?.explain;
    const spent = answer?.performance;
    const policies = explain?.filters.filter(({ origin }) => origin !== "question").length ?? 0;
    const isExact = explain?.steps.every(({ pushed }) => pushed) ?? true;
    const elapsed = spent
      ? spent.validating + spent.preparing + spent.queuing + spent.querying + spent.processing
      : 0;
    return html`<div class="status" role="status">
      ${this.isAsking && !asked ? html`<span>${words.status.asking}</span>` : ""}
      ${
        answer && spent && explain
          ? html`<span
                >${words.status.rows(writeNumber(answer.data.length), answer.data.length === 1)}</span
              >
              <span>${writeNumber(Math.round(elapsed))} ms</span>
              <span>${[...new Set(explain.datasets.map(({ plugin }) => plugin))].join(", ")}</span>
              <span>${isExact ? words.status.exact : words.status.partial}</span>
              <span>${words.status.policies(policies)}</span>
              ${answer.cached ? html`<span>${words.status.memory}</span>` : ""}
              <span class="grow"></span>
              <button class="button quiet" @click=${() => this.showRequest()}>
                JSON · curl · TS
              </button>`
          : ""
      }
    </div>`;
  }
}

/** The value of a filter in few words. */
function describe({ value }: Filter): string {
  if (value === undefined) return "";
  if (!Array.isArray(value)) return String(value).replace("T00:00:00.000Z", "");
  const shown = value.slice(0, 2).map((each) => (each === null ? words.none : String(each)));
  return value.length > 2 ? `${shown.join(", ")} +${value.length - 2}` : shown.join(", ");
}
