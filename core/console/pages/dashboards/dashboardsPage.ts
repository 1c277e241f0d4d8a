import { html, type PropertyValues, type TemplateResult } from "lit";
import { screens, screenOfWidth, type Screen } from "../../../charts/index.ts";
import {
  confirm,
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  saveFile,
  type Command,
} from "../../parts/index.ts";
import { ConsolePicture } from "../../pictures/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { askToLeave } from "./askToLeave.ts";
import { Board } from "./board.ts";
import { filtersIn, type FilterScope } from "./boardFilters.ts";
import {
  datasetIdsOf,
  hasView,
  viewOf,
  withItem,
  withNewItem,
  withoutItem,
  withoutView,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { createDraft, type Draft } from "./createDraft.ts";
import { dashboardBar } from "./dashboardBar.ts";
import { DashboardList } from "./dashboardList.ts";
import { itemPanel } from "./itemPanel.ts";
import { LiveDashboard } from "./liveDashboard.ts";
import { openEmbed } from "./openEmbed.ts";
import { openFilters } from "./openFilters.ts";
import { openNewFilterItem } from "./openNewFilterItem.ts";
import { openShares } from "./openShares.ts";
import { openTheme, readTheme, type StoredTheme } from "./openTheme.ts";
import { openVersions } from "./openVersions.ts";
import { readDashboard } from "./readDashboard.ts";
import { dashboardStyles } from "./styles.ts";
import { words } from "./words.ts";

/** Dashboards: the list, and one to see or to edit on its grid. */
export class DashboardsPage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    selected: { state: true },
    width: { state: true },
    theme: { state: true },
  };
  declare private selected: string | undefined;
  declare private width: number;
  /** The theme that the shown view names. */
  declare private theme: StoredTheme | undefined;
  private dashboardId = "";
  private readonly read = createLoad<Draft | "gone">(this, async (signal) => {
    const { api, user } = this.context;
    const stored = await readDashboard(api, this.dashboardId, signal);
    if (!stored) return "gone";
    const changed = () => this.requestUpdate();
    const draft = createDraft({ api, userId: user.id, stored, changed });
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
    this.context?.places.guard(this.mayLeave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
    window.removeEventListener("keydown", this.undoByKey);
    window.removeEventListener("beforeunload", this.keepUnsaved);
    this.context.places.guard(undefined);
  }

  private readonly resized = (): void => {
    this.width = window.innerWidth;
  };

  private readonly keepUnsaved = (event: BeforeUnloadEvent): void => {
    if (this.draft?.isChanged) event.preventDefault();
  };

  private readonly mayLeave = async (): Promise<boolean> =>
    this.draft === undefined || askToLeave(this.draft);

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
    return [
      this.isEditing
        ? { label: words.save, kind, run: () => void draft.save() }
        : { label: words.edit, kind, run: () => this.goTo({ edit: "1" }) },
      { label: words.share, kind, run: () => this.share(draft) },
      { label: words.versions, kind, run: () => void this.showVersions(draft) },
      { label: words.embed, kind, run: () => this.embed(draft) },
      ...(this.isEditing
        ? [
            { label: words.addControl, kind, run: () => void this.addControl(draft) },
            { label: words.addText, kind, run: () => this.addText(draft) },
            { label: words.theme, kind, run: () => void this.chooseTheme(draft) },
          ]
        : []),
    ];
  }

  private get draft(): Draft | undefined {
    const { value } = this.read;
    return this.dashboardId === "" || value === "gone" ? undefined : value;
  }

  private get isEditing(): boolean {
    return this.place.query.get("edit") === "1";
  }

  /** The screen of the address; undefined when the width decides. */
  private get wantedScreen(): Screen | undefined {
    const wanted = this.place.query.get("screen");
    return screens.find((screen) => screen === wanted);
  }

  private get screen(): Screen {
    return this.wantedScreen ?? screenOfWidth(this.width);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("context")) this.context.places.guard(this.mayLeave);
    if (!changed.has("place")) return;
    const [, dashboardId = ""] = this.place.parts;
    if (dashboardId === this.dashboardId) return;
    this.dashboardId = dashboardId;
    this.selected = undefined;
    this.read.clear();
    if (dashboardId !== "") void this.read.start();
  }

  private goTo(changes: Readonly<Record<string, string | undefined>>): void {
    const query = new URLSearchParams(this.place.query);
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    const search = query.size > 0 ? `?${query.toString()}` : "";
    this.context.places.go(`/dashboards/${encodeURIComponent(this.dashboardId)}${search}`, {
      replaces: true,
    });
  }

  private async done(draft: Draft): Promise<void> {
    if (await askToLeave(draft)) this.goTo({ edit: undefined, screen: undefined });
  }

  private async showVersions(draft: Draft): Promise<void> {
    const { api } = this.context;
    const { contents: now } = draft.current;
    const contents = await openVersions({ api, dashboardId: this.dashboardId, now });
    if (!contents) return;
    draft.change({ contents });
    if (await draft.save()) notify({ text: words.restored });
  }

  private share({ current: { contents } }: Draft): void {
    void openShares({ api: this.context.api, dashboardId: this.dashboardId, contents });
  }

  private embed({ current: { contents } }: Draft): void {
    const { api, theme } = this.context;
    void openEmbed({ api, dashboardId: this.dashboardId, contents, theme });
  }

  private filters(draft: Draft, item?: BoardItem): void {
    const scope = (): FilterScope =>
      item
        ? { kind: "item", view: this.viewIn(draft.current.contents), itemId: item.id }
        : { kind: "dashboard" };
    void openFilters({
      api: this.context.api,
      title: item ? words.filtersOfItem : words.filtersOfAll,
      contents: () => draft.current.contents,
      scope,
      onChange: (contents) => draft.change({ contents }),
    });
  }

  private async chooseTheme(draft: Draft): Promise<void> {
    const chosen = await openTheme(this.context.api, this.theme?.id);
    if (chosen === undefined) return;
    const { contents } = draft.current;
    const view = this.viewIn(contents);
    const { theme: _, ...options } = view.options ?? {};
    const themed = { ...options, ...(chosen && { theme: { id: chosen.id } }) };
    this.theme = chosen ?? undefined;
    draft.change({ contents: withView(contents, { ...view, options: themed }) });
  }

  private async addControl(draft: Draft): Promise<void> {
    const item = await openNewFilterItem(this.context.api, draft.current.contents);
    if (item) this.add(draft, item, { sizeX: 12, sizeY: item.type === "slicer-filter" ? 18 : 6 });
  }

  private addText(draft: Draft): void {
    const item = {
      id: crypto.randomUUID(),
      type: "text",
      options: { title: { en: words.newText } },
      slots: [],
    };
    this.add(draft, item, { sizeX: 48, sizeY: 5 });
  }

  private add(
    draft: Draft,
    item: Omit<BoardItem, "position">,
    size: { readonly sizeX: number; readonly sizeY: number },
  ): void {
    const { contents } = draft.current;
    draft.change({ contents: withNewItem(contents, this.viewIn(contents), item, size) });
    this.selected = item.id;
  }

  private async export(draft: Draft): Promise<void> {
    try {
      const properties = { type: "pdf", securable_id: this.dashboardId, deliver: "file" };
      const file = await this.context.api.file("export", "create", { properties });
      saveFile(file, `${draft.current.name}.pdf`);
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async removeAll(draft: Draft): Promise<void> {
    const isAgreed = await confirm({
      title: words.removeTitle,
      text: words.removeText(draft.current.name),
      action: words.remove,
      isDangerous: true,
    });
    if (!isAgreed) return;
    try {
      await this.context.api.remove("securable", this.dashboardId);
      notify({ text: words.removed });
      draft.discard();
      this.context.places.go("/dashboards");
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  /** The view that is shown; while it is edited, the screen's own, which begins as a copy. */
  private viewIn(contents: Contents): BoardView {
    const view = viewOf(contents, this.screen);
    return this.isEditing ? { ...view, screenModus: this.screen } : view;
  }

  protected override render(): TemplateResult {
    if (this.dashboardId === "")
      return html`<console-dashboard-list
        .context=${this.context}
        .search=${this.place.query.get("search") ?? ""}
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

  private renderDashboard(draft: Draft): TemplateResult {
    const { isEditing, screen } = this;
    const { contents } = draft.current;
    const view = this.viewIn(contents);
    const item = isEditing ? view.items?.find(({ id }) => id === this.selected) : undefined;
    const bar = dashboardBar({
      draft,
      isEditing,
      screen,
      filterCount: filtersIn(contents, { kind: "dashboard" }).length,
      askAddress: this.context.user.features?.assistant
        ? `/ask?dashboard=${this.dashboardId}`
        : undefined,
      chartAddress: this.chartAddress(contents),
      more: [
        { label: words.versions, run: () => void this.showVersions(draft) },
        { label: words.exportPdf, run: () => void this.export(draft) },
        "separator",
        { label: words.remove, isDangerous: true, run: () => void this.removeAll(draft) },
      ],
      onScreen: (chosen) => this.goTo({ screen: chosen }),
      onOwnLayout: () => draft.change({ contents: withoutView(contents, screen) }),
      onEdit: () => this.goTo({ edit: "1" }),
      onDone: () => void this.done(draft),
      onAddText: () => this.addText(draft),
      onAddControl: () => void this.addControl(draft),
      onFilters: () => this.filters(draft),
      onTheme: () => void this.chooseTheme(draft),
      onShare: () => this.share(draft),
      onEmbed: () => this.embed(draft),
    });
    return html`${bar}
      <div class="dashboard-body ${item ? "with-panel" : ""}">
        <div class="screen-frame ${this.wantedScreen ?? ""}">
          ${
            (view.items ?? []).length === 0
              ? this.renderEmpty(contents)
              : this.renderItems(draft, view)
          }
        </div>
        ${
          item
            ? itemPanel({
                item,
                filterCount: filtersIn(contents, { kind: "item", view, itemId: item.id }).length,
                onChange: (next) => draft.change({ contents: withItem(contents, view, next) }),
                onFilters: () => this.filters(draft, item),
                onRemove: () => {
                  draft.change({ contents: withoutItem(contents, view, item.id) });
                  this.selected = undefined;
                },
              })
            : ""
        }
      </div>`;
  }

  /** Where a chart for this dashboard is made: on its dataset when it has one alone. */
  private chartAddress(contents: Contents): string {
    const [id, other] = datasetIdsOf(contents);
    const path = id !== undefined && other === undefined ? `/explore/${id}` : "/explore";
    return `${path}?dashboard=${this.dashboardId}`;
  }

  private renderEmpty(contents: Contents): TemplateResult {
    return emptyState({
      title: words.empty,
      text: words.emptyText,
      action: html`<a class="button primary" href=${this.chartAddress(contents)}
        >${words.addChart}</a
      >`,
    });
  }

  private renderItems(draft: Draft, view: BoardView): TemplateResult {
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
