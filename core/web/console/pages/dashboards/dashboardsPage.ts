import { html, type PropertyValues, type TemplateResult } from "lit";
import { screens, screenOfWidth, type Screen } from "../../../charts/index.ts";
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
} from "../../parts/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { ConsolePicture } from "../../pictures/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { confirmLeave } from "./confirmLeave.ts";
import { Board } from "./board.ts";
import { filtersIn } from "./boardFilters.ts";
import {
  hasView,
  viewOf,
  withItem,
  withoutItem,
  withoutView,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { createDashboardDraft, type DashboardDraft } from "./createDashboardDraft.ts";
import { dashboardActions, type DashboardActions } from "./dashboardActions.ts";
import { dashboardBar } from "./dashboardBar.ts";
import { DashboardList } from "./dashboardList.ts";
import { defaultRangeOf, withDefaultRange } from "./defaultRange.ts";
import { chartAddress, emptyBoard } from "./emptyBoard.ts";
import { itemPanel } from "./itemPanel.ts";
import { LiveDashboard } from "./liveDashboard.ts";
import { readTheme, type StoredTheme } from "./openTheme.ts";
import { openNewView, openViews, type ViewsOptions } from "./openViews.ts";
import { readDashboard } from "./readDashboard.ts";
import { readViews, type SavedView } from "./savedViews.ts";
import { isOfState, readStateOf, writeState } from "./stateAddress.ts";
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
  /** The theme that the current view names. */
  declare private theme: StoredTheme | undefined;
  private dashboardId = "";
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
    const draft: DashboardDraft = createDashboardDraft({
      api,
      userId: user.id,
      stored,
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
    define("console-live-dashboard", LiveDashboard);
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    adoptStyles(dashboardStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.resized);
    window.addEventListener("keydown", this.undoByKey);
    window.addEventListener("beforeunload", this.keepUnsaved);
    this.context?.router.guard(this.mayLeave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
    window.removeEventListener("keydown", this.undoByKey);
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

  private readonly undoByKey = (event: KeyboardEvent): void => {
    // The target of an event in a shadow root is the element outside.
    const isField = event.composedPath()[0] instanceof HTMLInputElement;
    if (isField || !this.isEditing || event.key.toLowerCase() !== "z") return;
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey) this.draft?.redo();
    else this.draft?.undo();
  };

  override get commands(): readonly Command[] {
    const { draft } = this;
    if (!draft) return [];
    const kind = words.title;
    const actions = this.actionsOn(draft);
    return [
      this.isEditing
        ? { label: words.save, kind, run: () => void draft.save() }
        : { label: words.edit, kind, run: () => this.goTo({ edit: "1" }) },
      { label: words.share, kind, run: () => actions.share() },
      { label: words.versions, kind, run: () => void actions.showVersions() },
      { label: words.embed, kind, run: () => actions.embed() },
      ...(this.isEditing
        ? [
            { label: words.addControl, kind, run: () => void actions.addControl() },
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
    return this.route.query.get("edit") === "1" && this.context.guest?.mode !== "view";
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
      onSelect: (id) => (this.selected = id),
    });
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
   * view.
   */
  private viewIn(contents: Contents): BoardView {
    const view = viewOf(contents, this.screen);
    return this.isEditing ? { ...view, screenModus: this.screen } : view;
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
      chartAddress: chartAddress(this.dashboardId, contents),
      guest: this.context.guest,
      more: [
        ...(this.context.guest
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
        ...(this.context.guest
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
      onAddText: () => actions.addText(),
      onAddControl: () => void actions.addControl(),
      onFilters: () => actions.filters(),
      onTheme: () => void actions.chooseTheme(),
      onShare: () => actions.share(),
      onEmbed: () => actions.embed(),
    });
    return html`${bar}
      <div class="dashboard-body ${item ? "with-panel" : ""}">
        <div class="screen-frame ${this.wantedScreen ?? ""}">
          ${
            (view.items ?? []).length === 0
              ? emptyBoard(this.dashboardId, contents)
              : this.renderItems(draft, view)
          }
        </div>
        ${
          item
            ? itemPanel({
                item,
                filterCount: filtersIn(contents, { kind: "item", view, itemId: item.id }).length,
                defaultRange: item.type.startsWith("date-")
                  ? defaultRangeOf(contents, view, item)
                  : undefined,
                onDefaultRange: (name) =>
                  draft.change({ contents: withDefaultRange(contents, view, item, name) }),
                onChange: (next) => draft.change({ contents: withItem(contents, view, next) }),
                onFilters: () => actions.filters(item),
                onRemove: () => {
                  draft.change({ contents: withoutItem(contents, view, item.id) });
                  this.selected = undefined;
                },
              })
            : ""
        }
      </div>`;
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
    return html`${isInherited ? html`<p class="muted small hint">${words.ownLayoutText}</p>` : ""}
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
      ></console-board>`;
  }
}
