import { html, type PropertyValues, type TemplateResult } from "lit";
import {
  screenOfWidth,
  writeState,
  isOfState,
  resolveTheme,
  screens,
  readStateOf,
  type Screen,
} from "../../../charts/index.ts";
import type { DashboardState } from "../../../embed/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  openMenu,
  type Command,
  type MenuItem,
  type MenuPlace,
  rootOf,
} from "../../parts/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { ConsolePicture } from "../../pictures/index.ts";
import { isAtLeast, readRight, type Right } from "../../sharing/index.ts";
import { ColumnList, shelfStyles } from "../../shelves/index.ts";
import { adoptStyles, records } from "../../styles/index.ts";
import { confirmLeave } from "./confirmLeave.ts";
import { Board } from "./board.ts";
import { filtersIn } from "./boardFilters.ts";
import { BoardControl } from "./boardControl.ts";
import {
  datasetIdsOf,
  hasView,
  viewOf,
  withoutView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { createDashboardDraft, type DashboardDraft } from "./createDashboardDraft.ts";
import { dashboardActions, type DashboardActions } from "./dashboardActions.ts";
import { dashboardBar } from "./dashboardBar.ts";
import { DashboardList } from "./dashboardList.ts";
import { emptyBoard } from "./emptyBoard.ts";
import { ItemLimits } from "./itemLimits.ts";
import { ItemPanel } from "./itemPanel.ts";
import { offersOf } from "./offersOf.ts";
import { LiveDashboard } from "./liveDashboard.ts";
import { readTheme, type StoredTheme } from "./openTheme.ts";
import { openNewView, openViews, type ViewsOptions } from "./openViews.ts";
import { phoneView } from "./phoneView.ts";
import { readDashboard } from "./readDashboard.ts";
import { readViews, type SavedView } from "./savedViews.ts";
import { dashboardStyles } from "./styles.ts";
import { words } from "./words.ts";

/** The value of `view` in an address that shows a dashboard without its default view. */
const noView = "none";

/** The Dashboards page: a list of dashboards, and one dashboard to view or to edit on its grid. */
export class DashboardsPage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    selected: { state: true },
    width: { state: true },
    theme: { state: true },
  };
  declare private selected: string | undefined;
  declare private width: number;
  /** Whether the open dashboard was being edited before the last update; undefined if none was open. */
  private wasEditing: boolean | undefined;
  /** The theme that the current view names. */
  declare private theme: StoredTheme | undefined;
  private dashboardId = "";
  /** Ids of new charts whose type follows their columns. */
  private readonly automatic = new Set<string>();
  /** The saved views of the dashboard. */
  private views: readonly SavedView[] = [];
  private stateRead: { readonly query: string; readonly state: unknown } = {
    query: "",
    state: undefined,
  };
  private readonly read = createLoad<DashboardDraft | "gone">(this, async (signal) => {
    const { api, user, guest } = this.context;
    const stored = await readDashboard(api, this.dashboardId, signal);
    if (!stored) return "gone";
    const { id } = stored;
    // What guests of other sites may do is decided by the element and by the token.
    const ofGuest: Right = guest?.mode === "view" ? "use" : "modify";
    const right = guest ? ofGuest : await readRight(api, id, signal);
    const draft: DashboardDraft = createDashboardDraft({
      api,
      userId: user.id,
      stored,
      right,
      changed: () => {
        this.requestUpdate();
        guest?.emit("change", { dashboard: id, isChanged: draft.isChanged });
      },
      saved: () => guest?.emit("saved", { dashboard: id }),
    });
    // Guests of other sites have no views.
    this.views = guest ? [] : await readViews(api, id, signal);
    const wanted = this.route.query.get("view");
    if (wanted !== null && wanted !== noView && !this.views.some((view) => view.id === wanted))
      notify({ text: words.viewGone });
    this.nameWindow(draft.current.name);
    const { options } = this.viewIn(draft.current.contents);
    this.theme = await readTheme(api, options, signal);
    return draft;
  });

  constructor() {
    super();
    this.width = window.innerWidth;
    define("console-dashboard-list", DashboardList);
    define("console-board", Board);
    define("console-board-control", BoardControl);
    define("console-item-panel", ItemPanel);
    define("console-item-limits", ItemLimits);
    define("console-column-list", ColumnList);
    define("console-live-dashboard", LiveDashboard);
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    adoptStyles(records, shelfStyles, dashboardStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.resized);
    window.addEventListener("keydown", this.runKey);
    window.addEventListener("beforeunload", this.keepUnsaved);
    this.context?.router.guard(this.mayLeave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
    window.removeEventListener("keydown", this.runKey);
    window.removeEventListener("beforeunload", this.keepUnsaved);
    this.context.router.guard(undefined);
  }

  private readonly resized = (): void => {
    this.width = this.context?.guest ? this.clientWidth : window.innerWidth;
  };

  private readonly keepUnsaved = (event: BeforeUnloadEvent): void => {
    if (this.draft?.isChanged) event.preventDefault();
  };

  private readonly mayLeave = async (): Promise<boolean> =>
    this.draft === undefined || confirmLeave(this.draft);

  /** Runs the keys of the editor, unless the reader types in a field or a dialog is open. */
  private readonly runKey = (event: KeyboardEvent): void => {
    const { draft } = this;
    // The target of an event in a shadow root is the element outside.
    const [target] = event.composedPath();
    if (!draft || !this.isEditing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (!(target instanceof Element) || isTyped(target) || target.closest("dialog")) return;
    const isTextChosen = document.getSelection()?.isCollapsed === false;
    const { selected } = this;
    const actions = this.actionsOn(draft);
    const isLimited = this.context.guest?.mode === "limited";
    const run = {
      z: () => (event.shiftKey ? draft.redo() : draft.undo()),
      y: () => draft.redo(),
      ...(!isLimited && {
        ...(selected !== undefined && { d: () => actions.duplicate(selected) }),
        ...(selected !== undefined && !isTextChosen && { c: () => actions.copy(selected) }),
        v: () => actions.paste(),
      }),
    }[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  };

  override get commands(): readonly Command[] {
    const { draft } = this;
    if (!draft) return [];
    const kind = words.title;
    const actions = this.actionsOn(draft);
    const { mayChange, mayShare, mayEmbed } = offersOf(draft.right, this.context);
    return [
      ...(!mayChange
        ? []
        : this.isEditing
          ? [{ label: words.save, kind, run: () => void draft.save() }]
          : [{ label: words.edit, kind, run: () => this.goTo({ edit: "1" }) }]),
      ...(mayShare ? [{ label: words.share, kind, run: () => actions.share() }] : []),
      ...(mayChange
        ? [{ label: words.versions, kind, run: () => void actions.showVersions() }]
        : []),
      ...(mayEmbed ? [{ label: words.embed, kind, run: () => actions.embed() }] : []),
      ...(this.isEditing
        ? [
            { label: words.addChart, kind, run: () => actions.addChart() },
            { label: words.addFilter, kind, run: () => actions.filters() },
            { label: words.addText, kind, run: () => actions.addText() },
            { label: words.theme, kind, run: () => void actions.chooseTheme() },
          ]
        : []),
    ];
  }

  private get draft(): DashboardDraft | undefined {
    const { value } = this.read;
    return this.dashboardId === "" || value === "gone" ? undefined : value;
  }

  private get isEditing(): boolean {
    const { draft } = this;
    const mayChange = draft !== undefined && isAtLeast(draft.right, "modify");
    return this.route.query.get("edit") === "1" && mayChange;
  }

  /** The screen named in the address; undefined if the width determines the screen. */
  private get wantedScreen(): Screen | undefined {
    const wanted = this.route.query.get("screen");
    return screens.find((screen) => screen === wanted);
  }

  private get screen(): Screen {
    return this.wantedScreen ?? screenOfWidth(this.width);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("context")) this.context.router.guard(this.mayLeave);
    if (!changed.has("route")) return;
    const [, dashboardId = ""] = this.route.parts;
    if (dashboardId === this.dashboardId) return;
    this.dashboardId = dashboardId;
    this.selected = undefined;
    this.read.clear();
    if (dashboardId !== "") void this.read.start();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("selected")) void this.showSelected();
    this.keepFocus();
  }

  /** Moves the focus of the button that began or ended editing to the button that replaced it. */
  private keepFocus(): void {
    const before = this.wasEditing;
    this.wasEditing = this.draft && this.isEditing;
    if (before === undefined || this.wasEditing === undefined || before === this.wasEditing) return;
    const { activeElement: active } = rootOf(this);
    if (active === null || active === document.body)
      this.renderRoot.querySelector<HTMLElement>(".toggle-editing")?.focus();
  }

  /** Scrolls to the selected item once its panel has its size. */
  private async showSelected(): Promise<void> {
    const { selected } = this;
    if (selected === undefined) return;
    const panel = this.renderRoot.querySelector<ItemPanel>("console-item-panel");
    await panel?.updateComplete;
    if (this.selected !== selected) return;
    this.renderRoot.querySelector<Board>("console-board")?.showItem(selected);
  }

  /** What the address says that the reader has chosen. The same address returns the same object. */
  private get state(): unknown {
    const query = this.route.query.toString();
    if (this.stateRead.query !== query)
      this.stateRead = { query, state: readStateOf(this.route.query) };
    return this.stateRead.state ?? this.view?.state;
  }

  /** The view that the address names, or with which the dashboard opens. */
  private get view(): SavedView | undefined {
    const wanted = this.route.query.get("view");
    return this.views.find(({ id, is_default: isDefault }) =>
      wanted === null ? isDefault : id === wanted,
    );
  }

  private get viewName(): string | undefined {
    const { view } = this;
    if (!view) return undefined;
    return this.route.query.has("v") ? words.viewChanged(view.name) : view.name;
  }

  private showView(id: string): void {
    const query = new URLSearchParams(this.route.query);
    for (const name of this.route.query.keys()) if (isOfState(name)) query.delete(name);
    query.set("view", id);
    this.context.router.go(`${this.route.path}?${query.toString()}`);
  }

  private openViewsMenu(button: HTMLElement): void {
    const { api, user } = this.context;
    const { dashboardId, views } = this;
    const live = this.renderRoot.querySelector("console-live-dashboard");
    const state = live instanceof LiveDashboard ? live.choices : undefined;
    const options = { api, dashboardId, userId: user.id, state: state ?? { version: 1 } };
    openMenu(button, words.savedViews, [
      ...views.map(({ id, name }) => ({ label: name, run: () => this.showView(id) })),
      ...(this.view ? [{ label: words.withoutView, run: () => this.showView(noView) }] : []),
      ...(views.length > 0 ? ["separator" as const] : []),
      { label: words.saveView, run: () => void this.saveView(options) },
      ...(views.length > 0
        ? [{ label: words.manageViews, run: () => void this.manageViews(options) }]
        : []),
    ]);
  }

  private async saveView(options: ViewsOptions): Promise<void> {
    const made = await openNewView(options);
    if (!made) return;
    this.views = await readViews(options.api, options.dashboardId);
    this.showView(made.id);
    this.requestUpdate();
  }

  private async manageViews(options: ViewsOptions): Promise<void> {
    await openViews(options, this.views);
    try {
      this.views = await readViews(options.api, options.dashboardId);
    } catch (failure) {
      notifyFailure(failure);
    }
    this.requestUpdate();
  }

  private goTo(changes: Readonly<Record<string, string | undefined>>): void {
    const query = new URLSearchParams(this.route.query);
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    const search = query.size > 0 ? `?${query.toString()}` : "";
    this.context.router.go(`/dashboards/${encodeURIComponent(this.dashboardId)}${search}`, {
      replaces: true,
    });
  }

  /** Writes what the reader has chosen to the address, as a step that the browser can take back. */
  private keepState(state: DashboardState): void {
    const entries = writeState(state);
    if (!entries) return notify({ text: words.stateTooLong });
    const query = new URLSearchParams(this.route.query);
    for (const name of this.route.query.keys()) if (isOfState(name)) query.delete(name);
    for (const [name, value] of entries) query.set(name, value);
    const address = `${this.route.path}?${query.toString()}`;
    this.stateRead = { query: query.toString(), state };
    this.context.router.go(address);
  }

  private async done(draft: DashboardDraft): Promise<void> {
    if (await confirmLeave(draft)) this.goTo({ edit: undefined, screen: undefined });
  }

  private actionsOn(draft: DashboardDraft): DashboardActions {
    return dashboardActions({
      context: this.context,
      dashboardId: this.dashboardId,
      draft,
      theme: this.theme,
      viewIn: (contents) => this.viewIn(contents),
      exportFile: (type) => this.exportFile(type),
      onTheme: (theme) => (this.theme = theme),
      onSelect: (id) => void this.select(id),
      onNewChart: (id) => {
        this.automatic.add(id);
        this.opensPanel = true;
      },
    });
  }

  /** Whether the focus goes to the panel of the item that is selected next. */
  private opensPanel = false;

  /** Selects an item and moves the focus to it, or to its panel. */
  private async select(id: string | undefined): Promise<void> {
    const { opensPanel } = this;
    [this.selected, this.opensPanel] = [id, false];
    await this.updateComplete;
    const board = this.renderRoot.querySelector<Board>("console-board");
    await board?.updateComplete;
    if (id === undefined) return;
    board?.showItem(id);
    if (opensPanel) this.openPanel();
    else board?.focusItem(id);
  }

  private openPanel(): void {
    this.renderRoot.querySelector<ItemPanel>("console-item-panel")?.focusFirst();
  }

  private openItemMenu(
    draft: DashboardDraft,
    id: string,
    button: HTMLElement,
    at?: MenuPlace["at"],
  ): void {
    const actions = this.actionsOn(draft);
    const isLimited = this.context.guest?.mode === "limited";
    const items: readonly MenuItem[] = [
      ...(isLimited
        ? []
        : [
            { label: words.duplicate, run: () => actions.duplicate(id) },
            { label: words.copyItem, run: () => actions.copy(id) },
            { label: words.paste, run: () => actions.paste() },
            "separator" as const,
          ]),
      { label: words.removeItem, isDangerous: true, run: () => actions.removeItem(id) },
    ];
    openMenu(button, words.itemMenu, items, { ...(at && { at }) });
  }

  /** Creates a file of the dashboard: with the reader's filters, and in edit mode as it is stored. */
  private async exportFile(type: string): Promise<Blob> {
    const live = this.renderRoot.querySelector<LiveDashboard>("console-live-dashboard");
    if (live) return live.export(type);
    const properties = {
      type,
      securable_id: this.dashboardId,
      screenmode: this.screen,
      locale_id: readerLocale,
      timezone_id: readerZone,
      deliver: "file",
    };
    return this.context.api.file("export", "create", { properties });
  }

  /**
   * Returns the view that is shown. In edit mode, this is the screen's own view, which is first copied from the closest
   * view. Phones show that view with all items below each other.
   */
  private viewIn(contents: Contents): BoardView {
    const view = viewOf(contents, this.screen);
    if (!this.isEditing) return view;
    const isStacked = this.screen === "mobile" && view.screenModus !== "mobile";
    return { ...(isStacked ? phoneView(view) : view), screenModus: this.screen };
  }

  protected override render(): TemplateResult {
    if (this.dashboardId === "")
      return html`<console-dashboard-list
        .context=${this.context}
        .search=${this.route.query.get("search") ?? ""}
      ></console-dashboard-list>`;
    const { draft } = this;
    if (!draft || this.read.failure !== undefined)
      return html`<div class="page">
        ${this.read.show(() =>
          emptyState({
            title: words.gone,
            text: words.goneText,
            action: html`<a class="button" href="/dashboards">${words.all}</a>`,
          }),
        )}
      </div>`;
    return this.renderDashboard(draft);
  }

  private renderDashboard(draft: DashboardDraft): TemplateResult {
    const { isEditing, screen } = this;
    const { contents } = draft.current;
    const view = this.viewIn(contents);
    const item = isEditing ? view.items?.find(({ id }) => id === this.selected) : undefined;
    const actions = this.actionsOn(draft);
    const offers = offersOf(draft.right, this.context);
    const bar = dashboardBar({
      draft,
      isEditing,
      screen,
      filterCount: filtersIn(contents, { kind: "dashboard" }).length,
      askAddress: this.context.user.features?.assistant
        ? `/ask?dashboard=${this.dashboardId}`
        : undefined,
      viewName: this.viewName,
      onViews: (button) => this.openViewsMenu(button),
      guest: this.context.guest,
      offers,
      more: [
        ...(this.context.guest || !offers.mayChange
          ? []
          : [
              { label: words.versions, run: () => void actions.showVersions() },
              ...(this.context.user.role === "owner"
                ? [
                    {
                      label: words.usage,
                      run: () =>
                        this.context.router.go(`/access/usage?dashboard=${this.dashboardId}`),
                    },
                  ]
                : []),
            ]),
        { label: words.exportPdf, run: () => void actions.export() },
        ...(this.context.guest || !offers.mayDelete
          ? []
          : [
              "separator" as const,
              { label: words.remove, isDangerous: true, run: () => void actions.removeAll() },
            ]),
      ],
      onScreen: (chosen) => this.goTo({ screen: chosen }),
      onOwnLayout: () => draft.change({ contents: withoutView(contents, screen) }),
      onEdit: () => this.goTo({ edit: "1" }),
      onDone: () => void this.done(draft),
      onAddChart: () => actions.addChart(),
      onAddText: () => actions.addText(),
      onFilters: () => actions.filters(),
      onTheme: () => void actions.chooseTheme(),
      onShare: () => actions.share(),
      onEmbed: () => actions.embed(),
    });
    return html`${bar}
      <div class="dashboard-body ${isEditing ? "editing" : ""} ${item ? "with-panel" : ""}">
        <div class="screen-frame ${this.wantedScreen ?? ""}">
          ${
            (view.items ?? []).length === 0
              ? emptyBoard(this.mayAdd ? () => this.addFirstChart(draft) : undefined)
              : this.renderItems(draft, view)
          }
        </div>
        ${item ? this.renderPanel(draft, view, item) : ""}
      </div>`;
  }

  /** Whether the reader may add charts. The host checks the right to change the dashboard. */
  private get mayAdd(): boolean {
    const mode = this.context.guest?.mode ?? "full";
    return mode === "full";
  }

  private addFirstChart(draft: DashboardDraft): void {
    if (!this.isEditing) this.goTo({ edit: "1" });
    this.actionsOn(draft).addChart();
  }

  private renderPanel(draft: DashboardDraft, view: BoardView, item: BoardItem): TemplateResult {
    const { contents } = draft.current;
    return html`<console-item-panel
      .context=${this.context}
      .contents=${contents}
      .view=${view}
      .item=${item}
      .mayAsk=${this.context.guest?.mode !== "limited"}
      .isAutomatic=${this.automatic.has(item.id)}
      .usualDataset=${datasetIdsOf(contents).at(-1) ?? ""}
      .theme=${resolveTheme(this.context.theme, this.theme ? [{ theme: this.theme.theme }] : [])}
      .onChange=${(next: Contents, step?: string) => draft.change({ contents: next }, step)}
      .onType=${() => this.automatic.delete(item.id)}
      .onFilters=${() => this.actionsOn(draft).filters(item)}
      .onMenu=${(button: HTMLElement) => this.openItemMenu(draft, item.id, button)}
      .onClose=${() => {
        this.renderRoot.querySelector<Board>("console-board")?.focusItem(item.id);
        this.selected = undefined;
      }}
    ></console-item-panel>`;
  }

  private renderItems(draft: DashboardDraft, view: BoardView): TemplateResult {
    const { contents } = draft.current;
    if (!this.isEditing)
      return html`<h2 class="visually-hidden">${words.items}</h2>
        <console-live-dashboard
          .context=${this.context}
          .dashboardId=${this.dashboardId}
          .changedAt=${draft.stored.modified_at}
          .screen=${this.wantedScreen}
          .storedTheme=${this.theme?.theme}
          .state=${this.state}
          .onState=${(state: DashboardState) => this.keepState(state)}
        ></console-live-dashboard>`;
    const isInherited = !hasView(contents, this.screen);
    return html`${isInherited ? html`<p class="muted small hint">${this.layoutText(contents)}</p>` : ""}
      <h2 class="visually-hidden">${words.items}</h2>
      <console-board
        .context=${this.context}
        .contents=${contents}
        .view=${view}
        .storedTheme=${this.theme?.theme}
        .selected=${this.selected}
        .onChange=${(next: Contents) => draft.change({ contents: next })}
        .onSelect=${(id: string | undefined) => {
          this.selected = id;
        }}
        .onRemove=${(id: string) => this.removeByKey(draft, view, id)}
        .onOpen=${(id: string) => {
          this.selected = id;
          void this.updateComplete.then(() => this.openPanel());
        }}
        .onMenu=${(id: string, element: HTMLElement, at: MenuPlace["at"]) =>
          this.openItemMenu(draft, id, element, at)}
      ></console-board>`;
  }

  /** Says which layout a screen without a layout of its own has. */
  private layoutText(contents: Contents): string {
    const { screen } = this;
    const from = words.screens[viewOf(contents, screen).screenModus];
    return screen === "mobile"
      ? words.phoneLayoutText(from)
      : words.ownLayoutText(words.screens[screen], from);
  }

  /** Removes an item and moves the focus to its neighbour. */
  private removeByKey(draft: DashboardDraft, view: BoardView, id: string): void {
    const ids = (view.items ?? []).map((item) => item.id);
    const neighbour = ids[ids.indexOf(id) + 1] ?? ids[ids.indexOf(id) - 1];
    this.actionsOn(draft).removeItem(id);
    if (neighbour !== undefined) void this.select(neighbour);
  }
}

/** Returns whether keys that the reader presses in an element are text. */
const isTyped = (target: Element): boolean =>
  target.matches("input, textarea, select, [contenteditable]");
