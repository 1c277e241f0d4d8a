import { html, type PropertyValues, type TemplateResult } from "lit";
import { isRanking, readItem } from "../../../charts/index.ts";
import { hostSorting, type Choice, type Sorting } from "../../../embed/index.ts";
import {
  backIcon,
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  openMenu,
  rootOf,
  type Command,
} from "../../parts/index.ts";
import { queryItem, ConsolePicture, type AnsweredItem } from "../../pictures/index.ts";
import {
  addColumn,
  ColumnList,
  moveColumn,
  shelfStyles,
  shelvesView,
  withFilter,
  type DraggedColumn,
} from "../../shelves/index.ts";
import { adoptStyles, dataTable } from "../../styles/index.ts";
import {
  nameOf,
  questionTitle,
  readDataset,
  type ExploredColumn,
  type ExploredDataset,
  emptyQuestion,
  readQuestion,
  writeQuestion,
  type Filter,
  type Question,
  type Shelf,
  itemOf,
  whereOf,
  openFilter,
} from "../../questions/index.ts";
import { answerView } from "./answerView.ts";
import { createSteps, type Steps } from "./createSteps.ts";
import { openNewQuestion, updateSaved } from "./changeSaved.ts";
import { DatasetList } from "./datasetList.ts";
import { downloadPicture } from "./downloadPicture.ts";
import { exploreAddress } from "./exploreAddress.ts";
import { dashboardNote, exploreHead } from "./exploreHead.ts";
import { downloadAnswer, saveQuestion } from "./keepAnswer.ts";
import { openMarkMenu } from "./openMarkMenu.ts";
import { openRequest } from "./openRequest.ts";
import { QuestionList } from "./questionList.ts";
import { rankingChips } from "./rankingChips.ts";
import {
  addressOfSaved,
  readSavedQuestions,
  writeSaved,
  type SavedQuestion,
  type SavedQuestions,
} from "./savedQuestions.ts";
import { statusLine } from "./statusLine.ts";
import { exploreStyles } from "./styles.ts";
import { viewOf, type View } from "./view.ts";
import { whyEmpty } from "./whyEmpty.ts";
import { words } from "./words.ts";

/**
 * The Explore page. The reader chooses a dataset and puts its columns on shelves. The address contains the question.
 */
export class ExplorePage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    answered: { state: true },
    failure: { state: true },
    isLoading: { state: true },
    areColumnsOpen: { state: true },
  };
  declare private answered: AnsweredItem | undefined;
  declare private failure: unknown;
  declare private isLoading: boolean;
  /** Whether small screens show the columns. Undefined: until the question has a column. */
  declare private areColumnsOpen: boolean | undefined;
  private readonly chosen = createLoad<ExploredDataset | "gone">(
    this,
    async (signal) => (await readDataset(this.context.api, this.datasetId, signal)) ?? "gone",
  );
  /** The saved questions about the dataset. */
  private readonly savedQuestions = createLoad<SavedQuestions>(this, (signal) =>
    readSavedQuestions(this.context.api, { datasetId: this.datasetId }, signal),
  );
  private datasetId = "";
  private question: Question = emptyQuestion;
  private running: AbortController | undefined;
  private steps: Steps = createSteps();
  /** Where the reader last pressed, in pixels of the window; undefined after a key. */
  private pressedAt: { readonly x: number; readonly y: number } | undefined;

  constructor() {
    super();
    this.isLoading = false;
    define("console-dataset-list", DatasetList);
    define("console-question-list", QuestionList);
    define("console-column-list", ColumnList);
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    adoptStyles(dataTable, shelfStyles, exploreStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.undoByKey);
    window.addEventListener("keydown", this.pressKey, true);
    window.addEventListener("pointerdown", this.press, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.undoByKey);
    window.removeEventListener("keydown", this.pressKey, true);
    window.removeEventListener("pointerdown", this.press, true);
    this.running?.abort();
  }

  override get commands(): readonly Command[] {
    if (this.datasetId === "") return [];
    const kind = words.title;
    return [
      { label: words.save, kind, run: () => void this.save() },
      ...(this.context.guest
        ? []
        : [{ label: words.saved.saveAs, kind, run: () => void this.saveAs() }]),
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

  /** Id of the dashboard for which a chart is created; "" for none. */
  private get dashboardId(): string {
    return this.route.query.get("dashboard") ?? "";
  }

  /** The saved question that the reader opened; undefined if there is none, or if it was deleted. */
  private get saved(): SavedQuestion | undefined {
    const id = this.route.query.get("saved");
    return this.savedQuestions.value?.rows.find((each) => each.id === id);
  }

  private get view(): View {
    return viewOf(this.route.query.get("view"));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("route")) return;
    const [, datasetId = ""] = this.route.parts;
    const question = readQuestion(this.route.query.get("q"));
    const isOther = datasetId !== this.datasetId;
    if (isOther) {
      this.datasetId = datasetId;
      [this.steps, this.answered] = [createSteps(), undefined];
      this.areColumnsOpen = undefined;
      if (datasetId !== "") void this.chosen.start().then(() => this.run());
      this.savedQuestions.clear();
      if (datasetId !== "" && !this.context.guest) void this.savedQuestions.start();
    }
    const savedId = this.route.query.get("saved");
    if (datasetId === "" && savedId) void this.openSaved(savedId);
    const isSame = writeQuestion(question) === writeQuestion(this.question);
    this.question = question;
    if (!isOther && !isSame && datasetId !== "") void this.run();
  }

  protected override updated(): void {
    const list = this.renderRoot.querySelector("console-column-list");
    if (!list?.contains(rootOf(this).activeElement) || list.checkVisibility()) return;
    // The list has closed around the focus.
    this.renderRoot.querySelector<HTMLElement>(".toggle-columns")?.focus();
  }

  /** Asks for a table in another order if the page does not have all its rows. */
  private sortBy(sorting: Sorting | undefined): void {
    const { answered } = this;
    if (answered?.leftOut && !isRanking(answered.item)) void this.run(sorting);
  }

  /**
   * Runs the question in the address, with its rows in the order of the reader. An answer to an earlier question is
   * discarded.
   */
  private async run(sorted?: Sorting): Promise<void> {
    this.running?.abort();
    const dataset = this.chosen.value;
    const { question } = this;
    if (dataset === undefined || dataset === "gone") return;
    this.nameWindow(nameOf(dataset));
    if (question.rows.length + question.measures.length === 0 && !question.color) {
      [this.answered, this.failure, this.isLoading] = [undefined, undefined, false];
      return;
    }
    const own = new AbortController();
    this.running = own;
    this.isLoading = true;
    try {
      const item = readItem(itemOf(question, dataset));
      const where = whereOf(question.filters, dataset.id);
      const answered = await queryItem(this.context.api, item, {
        where,
        sorting: sorted && hostSorting(sorted),
        signal: own.signal,
      });
      if (this.running !== own) return;
      [this.answered, this.failure] = [answered, undefined];
      if (answered?.rows.length === 0) void this.sayWhyEmpty(answered, dataset, own.signal);
    } catch (failure) {
      if (this.running !== own) return;
      [this.answered, this.failure] = [undefined, failure];
    }
    this.isLoading = false;
  }

  /** Adds to an answer without rows why there are none. */
  private async sayWhyEmpty(
    answered: AnsweredItem,
    dataset: ExploredDataset,
    signal: AbortSignal,
  ): Promise<void> {
    const { context, question } = this;
    try {
      const why = await whyEmpty({ api: context.api, dataset, question, answered, signal });
      const warnings = [...(answered.warnings ?? []), ...why];
      if (this.answered === answered) this.answered = { ...answered, warnings };
    } catch (failure) {
      if (!signal.aborted) notifyFailure(failure);
    }
  }

  /**
   * Changes the question. The change is one undo step. A ranking belongs to the column by which it groups, so it ends
   * with another column.
   */
  private change(question: Question): void {
    if (question === this.question) return;
    this.steps.leave(writeQuestion(this.question));
    const isOther = question.rows[0]?.id !== this.question.rows[0]?.id;
    const next = isOther ? { ...question, order: undefined, limit: undefined } : question;
    this.goTo(writeQuestion(next));
  }

  private goTo(written: string, view: View = this.view): void {
    const { datasetId, dashboardId } = this;
    const shown = view === "both" ? "" : view;
    const savedId = this.route.query.get("saved") ?? "";
    const parts = { datasetId, dashboardId, question: written, view: shown, savedId };
    const address = exploreAddress(parts);
    this.context.router.go(address, { replaces: true });
  }

  private undo(): void {
    const before = this.steps.undo(writeQuestion(this.question));
    if (before !== undefined) this.goTo(before);
  }

  private redo(): void {
    const after = this.steps.redo(writeQuestion(this.question));
    if (after !== undefined) this.goTo(after);
  }

  private readonly undoByKey = (event: KeyboardEvent): void => {
    // The target of an event in a shadow root is the element outside.
    const [target] = event.composedPath();
    const isField = target instanceof HTMLInputElement && target.value !== "";
    if (isField || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (event.shiftKey) this.redo();
    else this.undo();
  };

  /** Adds a column from the list, which then makes room for the answer on small screens. */
  private addListed(id: string, shelf?: Shelf): void {
    this.areColumnsOpen = undefined;
    this.add(id, shelf);
  }

  private readonly add = (id: string, shelf?: Shelf): void => {
    const column = this.columns.get(id);
    if (shelf === "filters") {
      if (column) void this.filter(column);
      return;
    }
    if (id !== "*" && !column) return;
    this.change(addColumn(this.question, column, shelf));
  };

  private drop(shelf: Shelf, dragged: DraggedColumn): void {
    if (shelf === "filters" || !dragged.from) this.add(dragged.id, shelf);
    else this.change(moveColumn(this.question, dragged, shelf, this.columns.get(dragged.id)));
  }

  private async filter(column: ExploredColumn, index = -1): Promise<void> {
    const { api } = this.context;
    const known = this.question.filters[index];
    const options = { api, datasetId: this.datasetId, column, filter: known };
    const filter = await openFilter(options);
    if (!filter) return;
    this.change(withFilter(this.question, filter, index));
  }

  /** Opens the menu of a mark, at the pointer if the reader used it. */
  private openMark(choice: Choice | undefined): void {
    const { value: dataset } = this.chosen;
    const { answered, question, context } = this;
    const anchor = this.renderRoot.querySelector<HTMLElement>("console-picture .mf-plot");
    if (!choice || !answered || !anchor || dataset === undefined || dataset === "gone") return;
    openMarkMenu({
      context,
      dataset,
      question,
      answered,
      choice,
      anchor,
      at: this.pressedAt ?? middleOf(anchor),
      change: (next) => this.change(next),
    });
  }

  private readonly press = (event: PointerEvent): void => {
    this.pressedAt = { x: event.clientX, y: event.clientY };
  };

  private readonly pressKey = (): void => {
    this.pressedAt = undefined;
  };

  private async save(): Promise<void> {
    const { value: dataset } = this.chosen;
    if (dataset === undefined || dataset === "gone") return;
    const { context, question, dashboardId } = this;
    await saveQuestion({ context, question, dataset, dashboardId });
  }

  /** Opens a saved question of which the address has only the id. */
  private async openSaved(id: string): Promise<void> {
    const { api, router } = this.context;
    try {
      const {
        rows: [saved],
      } = await readSavedQuestions(api, { id });
      if (!saved) notify({ text: words.saved.gone, isBad: true });
      router.go(saved ? addressOfSaved(saved) : exploreAddress({}), { replaces: true });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  /** Saves the question under a name, and continues in the saved question. */
  private async saveAs(): Promise<void> {
    const { datasetId, question, columns, dashboardId } = this;
    const { api, router } = this.context;
    const name = questionTitle(question, columns);
    const made = await openNewQuestion({ api, datasetId, question, name });
    if (!made) return;
    await this.savedQuestions.start();
    router.go(addressOfSaved(made, dashboardId), { replaces: true });
    notify({ text: words.saved.updated(made.name) });
  }

  private async saveChanges(saved: SavedQuestion): Promise<void> {
    try {
      await updateSaved(this.context.api, saved, this.question);
      await this.savedQuestions.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private openQuestions(button: HTMLElement): void {
    const { saved, context, dashboardId } = this;
    const { rows, count } = this.savedQuestions.value ?? { rows: [], count: 0 };
    const isChanged = saved !== undefined && writeSaved(saved) !== writeQuestion(this.question);
    const canSave = isChanged && saved.user_id === context.user.id;
    openMenu(button, words.saved.title, [
      { label: words.saved.saveAs, run: () => void this.saveAs() },
      ...(canSave
        ? [{ label: words.saved.update(saved.name), run: () => void this.saveChanges(saved) }]
        : []),
      ...(rows.length > 0 ? ["separator" as const] : []),
      ...rows.map((each) => ({
        label: each.name,
        isChosen: each === saved,
        run: () => context.router.go(addressOfSaved(each, dashboardId)),
      })),
      ...(count > rows.length
        ? [
            {
              label: words.saved.others(count - rows.length),
              run: () => context.router.go(exploreAddress({})),
            },
          ]
        : []),
    ]);
  }

  private showRequest(): void {
    if (this.answered) void openRequest(this.answered.query, this.context.api.hostUrl);
  }

  private async download(type: string): Promise<void> {
    const { answered, context } = this;
    const dataset = this.chosen.value;
    if (!answered || !dataset || dataset === "gone") return;
    if (type === "png") await downloadPicture(answered, nameOf(dataset));
    else await downloadAnswer(context.api, answered, { type, name: nameOf(dataset) });
  }

  protected override render(): TemplateResult {
    if (this.datasetId === "")
      return html`<console-dataset-list
        .context=${this.context}
        .search=${this.route.query.get("search") ?? ""}
        .dashboardId=${this.dashboardId}
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
    const areColumnsOpen = this.areColumnsOpen ?? writeQuestion(this.question) === "";
    return html`<div class="explore">
      <aside class="explore-columns ${areColumnsOpen ? "" : "closed"}" aria-label=${words.columns}>
        <a class="small back" href=${exploreAddress({ dashboardId: this.dashboardId })}
          >${backIcon}${words.allDatasets}</a
        >
        <h1 class="truncate" title=${nameOf(value)}>${nameOf(value)}</h1>
        <button
          class="button toggle-columns"
          aria-expanded=${areColumnsOpen ? "true" : "false"}
          @click=${() => (this.areColumnsOpen = !areColumnsOpen)}
        >
          ${words.columns}
        </button>
        <console-column-list
          .columns=${value.columns}
          .onAdd=${(id: string, shelf?: Shelf) => this.addListed(id, shelf)}
          .api=${this.context.api}
          .datasetId=${value.id}
          .onFilter=${(filter: Filter) => this.change(withFilter(this.question, filter, -1))}
        ></console-column-list>
      </aside>
      <section class="work" aria-label=${words.answer}>
        ${dashboardNote(this.dashboardId)} ${this.renderHead()}
        ${shelvesView({
          question: this.question,
          columns: this.columns,
          change: (question) => this.change(question),
          ranking: rankingChips({
            question: this.question,
            dataset: value,
            change: (question) => this.change(question),
          }),
          onFilter: (column, index) => void this.filter(column, index),
          onDrop: (shelf, dragged) => this.drop(shelf, dragged),
        })}
        ${answerView({
          answered: this.answered,
          failure: this.failure,
          isLoading: this.isLoading,
          view: this.view,
          question: this.question,
          columns: this.columns,
          theme: this.context.theme,
          onSort: (sorting) => this.sortBy(sorting),
          onChoose: (choice) => this.openMark(choice),
          onRetry: () => void this.run(),
        })}
        ${statusLine({
          answered: this.answered,
          isLoading: this.isLoading,
          onRequest: () => this.showRequest(),
        })}
      </section>
    </div>`;
  }

  private renderHead(): TemplateResult {
    const { guest, user } = this.context;
    return exploreHead({
      datasetId: this.datasetId,
      question: this.question,
      columns: this.columns,
      view: this.view,
      steps: this.steps,
      hasAnswer: this.answered !== undefined,
      hasAssistant: !guest && user.features?.assistant === true,
      hasAlerts: !guest,
      change: (question) => this.change(question),
      onView: (view) => this.goTo(writeQuestion(this.question), view),
      onUndo: () => this.undo(),
      onRedo: () => this.redo(),
      onExport: (type) => void this.download(type),
      ...(!guest && {
        questions: {
          name: this.saved?.name,
          onOpen: (button: HTMLElement) => this.openQuestions(button),
        },
      }),
      onSave: () => void this.save(),
    });
  }
}

/** Returns the middle of the active mark of a picture, or of the picture. */
function middleOf(plot: HTMLElement): { readonly x: number; readonly y: number } {
  const { x, y, width, height } = (
    plot.querySelector(".mf-active") ?? plot
  ).getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
