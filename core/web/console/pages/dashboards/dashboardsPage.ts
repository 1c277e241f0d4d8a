import { html, type PropertyValues, type TemplateResult } from "lit";
import { screens, screenOfWidth, type Screen } from "../../../charts/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  type Command,
} from "../../parts/index.ts";
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
import { chartAddress, emptyBoard } from "./emptyBoard.ts";
import { itemPanel } from "./itemPanel.ts";
import { LiveDashboard } from "./liveDashboard.ts";
import { readTheme, type StoredTheme } from "./openTheme.ts";
import { readDashboard } from "./readDashboard.ts";
import { dashboardStyles } from "./styles.ts";
import { words } from "./words.ts";

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
  private readonly read = createLoad<DashboardDraft | "gone">(this, async (signal) => {
    const { api, user } = this.context;
    const stored = await readDashboard(api, this.dashboardId, signal);
    if (!stored) return "gone";
    const changed = () => this.requestUpdate();
    const draft = createDashboardDraft({ api, userId: user.id, stored, changed });
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
    this.width = window.innerWidth;
  };

  private readonly keepUnsaved = (event: BeforeUnloadEvent): void => {
    if (this.draft?.isChanged) event.preventDefault();
  };

  private readonly mayLeave = async (): Promise<boolean> =>
    this.draft === undefined || confirmLeave(this.draft);

  private readonly undoByKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof HTMLInputElement;
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
    return this.route.query.get("edit") === "1";
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
      onTheme: (theme) => (this.theme = theme),
      onSelect: (id) => (this.selected = id),
    });
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
      chartAddress: chartAddress(this.dashboardId, contents),
      more: [
        { label: words.versions, run: () => void actions.showVersions() },
        { label: words.exportPdf, run: () => void actions.export() },
        "separator",
        { label: words.remove, isDangerous: true, run: () => void actions.removeAll() },
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
