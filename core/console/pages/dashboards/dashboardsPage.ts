import { html, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { objectOf } from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import {
  closeIcon,
  confirm,
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  elementOf,
  emptyState,
  moreIcon,
  notify,
  notifyFailure,
  openMenu,
  selectField,
  textField,
  type Command,
} from "../../parts/index.ts";
import { ConsolePicture } from "../../pictures/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { Board } from "./board.ts";
import type { ChosenFilter } from "./choiceFilter.ts";
import {
  positionOf,
  screenOf,
  screens,
  viewOf,
  withItem,
  withoutItem,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
  type Screen,
} from "./contents.ts";
import { createHistory, type History } from "./createHistory.ts";
import { DashboardList } from "./dashboardList.ts";
import { openEmbed } from "./openEmbed.ts";
import { openVersions } from "./openVersions.ts";
import { readDashboard, type StoredDashboard } from "./readDashboard.ts";
import { dashboardStyles } from "./styles.ts";
import { words } from "./words.ts";

/** A dashboard while it is edited. */
interface Draft {
  readonly name: string;
  readonly contents: Contents;
}

/** Dashboards: the list, and one to see or to edit on its grid. */
export class DashboardsPage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    selected: { state: true },
    chosen: { state: true },
    width: { state: true },
    isSaving: { state: true },
  };
  declare private selected: string | undefined;
  declare private chosen: readonly ChosenFilter[];
  declare private width: number;
  declare private isSaving: boolean;
  private dashboardId = "";
  private drafts: History<Draft> | undefined;
  /** The draft as it was read or saved. */
  private saved: Draft | undefined;
  private readonly stored = createLoad<StoredDashboard | "gone">(this, async (signal) => {
    const found = await readDashboard(this.context.api, this.dashboardId, signal);
    if (found) this.begin(found);
    return found ?? "gone";
  });

  constructor() {
    super();
    [this.chosen, this.width, this.isSaving] = [[], window.innerWidth, false];
    define("console-dashboard-list", DashboardList);
    define("console-board", Board);
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    adoptStyles(dashboardStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.resized);
    window.addEventListener("keydown", this.undoByKey);
    window.addEventListener("beforeunload", this.keepUnsaved);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
    window.removeEventListener("keydown", this.undoByKey);
    window.removeEventListener("beforeunload", this.keepUnsaved);
  }

  private readonly resized = (): void => {
    this.width = window.innerWidth;
  };

  private readonly keepUnsaved = (event: BeforeUnloadEvent): void => {
    if (this.isChanged) event.preventDefault();
  };

  private readonly undoByKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof HTMLInputElement;
    if (isField || !this.isEditing || event.key.toLowerCase() !== "z") return;
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey) this.drafts?.redo();
    else this.drafts?.undo();
  };

  override get commands(): readonly Command[] {
    if (this.dashboardId === "") return [];
    const kind = words.title;
    return [
      this.isEditing
        ? { label: words.save, kind, run: () => void this.save() }
        : { label: words.edit, kind, run: () => this.goTo({ edit: "1" }) },
      { label: words.versions, kind, run: () => void this.showVersions() },
      { label: words.embed, kind, run: () => void openEmbed(this.context.api, this.dashboardId) },
    ];
  }

  private get isEditing(): boolean {
    return this.place.query.get("edit") === "1";
  }

  private get isChanged(): boolean {
    return this.drafts !== undefined && this.drafts.current !== this.saved;
  }

  private get screen(): Screen {
    const wanted = this.place.query.get("screen");
    return screens.find((screen) => screen === wanted) ?? screenOf(this.width);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("place")) return;
    const [, dashboardId = ""] = this.place.parts;
    if (dashboardId === this.dashboardId) return;
    this.dashboardId = dashboardId;
    [this.chosen, this.selected, this.drafts] = [[], undefined, undefined];
    if (dashboardId !== "") void this.stored.start();
  }

  private begin({ name, contents }: StoredDashboard): void {
    const draft = { name: textOf(name), contents: contents ?? {} };
    this.nameWindow(draft.name);
    this.saved = draft;
    this.drafts = createHistory<Draft>(draft, () => this.requestUpdate());
  }

  private change(contents: Contents): void {
    const { current } = this.drafts ?? {};
    if (current) this.drafts?.change({ ...current, contents });
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

  /** Stores the draft. Someone else's save since is replaced only when the reader agrees. */
  private async save(): Promise<boolean> {
    const { drafts, saved } = this;
    const known = this.stored.value;
    if (!drafts || !saved || known === undefined || known === "gone") return false;
    this.isSaving = true;
    try {
      const { api } = this.context;
      const now = await readDashboard(api, known.id);
      const isReplaced = now && now.modified_at !== known.modified_at;
      const isAgreed =
        !isReplaced ||
        (await confirm({
          title: words.conflictTitle,
          text: words.conflictText,
          action: words.conflictAction,
        }));
      if (!isAgreed) return false;
      const { name, contents } = drafts.current;
      const isRenamed = name !== saved.name;
      const next = await api.update<StoredDashboard>("securable", known.id, {
        contents,
        ...(isRenamed && { name: { ...objectOf(known.name), en: name } }),
      });
      this.stored.set({ ...known, ...next, contents });
      this.saved = drafts.current;
      notify({ text: words.saved });
      return true;
    } catch (failure) {
      notifyFailure(failure);
      return false;
    } finally {
      this.isSaving = false;
    }
  }

  private async showVersions(): Promise<void> {
    const { drafts } = this;
    if (!drafts) return;
    const { api } = this.context;
    const { contents: now } = drafts.current;
    const contents = await openVersions({ api, dashboardId: this.dashboardId, now });
    if (!contents) return;
    this.change(contents);
    if (await this.save()) notify({ text: words.restored });
  }

  private async export(): Promise<void> {
    try {
      const properties = { type: "pdf", securable_id: this.dashboardId, deliver: "file" };
      const file = await this.context.api.file("export", "create", { properties });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = `${this.drafts?.current.name ?? "dashboard"}.pdf`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async removeAll(): Promise<void> {
    const name = this.drafts?.current.name ?? "";
    const isAgreed = await confirm({
      title: words.removeTitle,
      text: words.removeText(name),
      action: words.remove,
      isDangerous: true,
    });
    if (!isAgreed) return;
    try {
      await this.context.api.remove("securable", this.dashboardId);
      notify({ text: words.removed });
      this.saved = this.drafts?.current;
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
    const { drafts } = this;
    if (!drafts || this.stored.value === "gone" || this.stored.failure !== undefined)
      return html`<div class="page">
        ${this.stored.show(() =>
          emptyState({
            title: words.gone,
            text: words.goneText,
            action: html`<a class="button" href="/dashboards">${words.all}</a>`,
          }),
        )}
      </div>`;
    const { current } = drafts;
    const view = this.viewIn(current.contents);
    const item = view.items?.find(({ id }) => id === this.selected);
    const hasPanel = this.isEditing && item !== undefined;
    const isNarrow =
      this.screen === "mobile" && viewOf(current.contents, "mobile").screenModus !== "mobile";
    return html`${this.renderBar(current, drafts)} ${this.renderChosen()}
      <div class="dashboard-body ${hasPanel ? "with-panel" : ""}">
        <div class="screen-frame ${this.place.query.has("screen") ? this.screen : ""}">
          ${
            (view.items ?? []).length === 0
              ? emptyState({
                  title: words.empty,
                  text: words.emptyText,
                  action: html`<a class="button" href="/explore">${words.explore}</a>`,
                })
              : html`<console-board
                  .context=${this.context}
                  .contents=${current.contents}
                  .view=${view}
                  .isEditing=${this.isEditing}
                  .isStacked=${isNarrow && !this.isEditing}
                  .selected=${this.selected}
                  .chosen=${this.chosen}
                  .onChange=${(contents: Contents) => this.change(contents)}
                  .onSelect=${(id: string | undefined) => {
                    this.selected = id;
                  }}
                  .onChoose=${(chosen: readonly ChosenFilter[]) => {
                    this.chosen = chosen;
                  }}
                ></console-board>`
          }
        </div>
        ${hasPanel ? this.renderPanel(current.contents, view, item) : ""}
      </div>`;
  }

  private renderChosen(): TemplateResult | string {
    if (this.chosen.length === 0) return "";
    return html`<div class="chosen-filters" role="status">
      ${this.chosen.map(
        (filter) =>
          html`<button
            class="badge info"
            aria-label=${words.clearFilter(filter.label)}
            @click=${() => {
              this.chosen = this.chosen.filter((each) => each !== filter);
            }}
          >
            ${words.filteredBy(filter.label)} ${closeIcon}
          </button>`,
      )}
    </div>`;
  }

  private renderBar({ name, contents }: Draft, drafts: History<Draft>): TemplateResult {
    const { isEditing } = this;
    const screenChoice = html`<select
      class="input"
      aria-label=${words.screen}
      @change=${(event: Event) => this.goTo({ screen: elementOf(event.target, HTMLSelectElement).value })}
    >
      ${screens.map(
        (screen) =>
          html`<option value=${screen} ?selected=${screen === this.screen}>
            ${words.screens[screen]}
          </option>`,
      )}
    </select>`;
    const tools = isEditing
      ? html`${screenChoice}
          <button class="button quiet" ?disabled=${!drafts.canUndo} @click=${() => drafts.undo()}>
            ${words.undo}
          </button>
          <button class="button quiet" ?disabled=${!drafts.canRedo} @click=${() => drafts.redo()}>
            ${words.redo}
          </button>
          <a class="button" href="/explore">${words.addChart}</a>
          <button class="button" @click=${() => this.addText(contents)}>${words.addText}</button>
          <button class="button" @click=${() => this.goTo({ edit: undefined, screen: undefined })}>
            ${words.done}
          </button>
          <button
            class="button primary"
            ?disabled=${!this.isChanged || this.isSaving}
            @click=${() => void this.save()}
          >
            ${this.isSaving ? words.saving : words.save}
          </button>`
      : html`<button
            class="button"
            @click=${() => void openEmbed(this.context.api, this.dashboardId)}
          >
            ${words.embed}
          </button>
          <button class="button" @click=${() => this.goTo({ edit: "1" })}>${words.edit}</button>`;
    return html`<header class="dashboard-bar">
      ${
        isEditing
          ? html`<h1 class="visually-hidden">${name}</h1>
              <input
                class="input name-input"
                aria-label=${words.name}
                .value=${live(name)}
                @change=${(event: Event) =>
                  drafts.change({
                    ...drafts.current,
                    name: elementOf(event.target, HTMLInputElement).value.trim() || name,
                  })}
              />`
          : html`<h1 class="truncate">${name}</h1>`
      }
      ${this.isChanged ? html`<span class="badge warn">${words.unsaved}</span>` : ""} ${tools}
      <button
        class="button quiet icon"
        aria-label=${words.more}
        aria-haspopup="menu"
        @click=${(event: Event) =>
          openMenu(elementOf(event.currentTarget, HTMLElement), words.more, [
            { label: words.versions, run: () => void this.showVersions() },
            { label: words.exportPdf, run: () => void this.export() },
            "separator",
            { label: words.remove, isDangerous: true, run: () => void this.removeAll() },
          ])}
      >
        ${moreIcon}
      </button>
    </header>`;
  }

  private addText(contents: Contents): void {
    const view = this.viewIn(contents);
    const items = view.items ?? [];
    const row = Math.max(0, ...items.map(positionOf).map((each) => each.row + each.sizeY));
    const item: BoardItem = {
      id: crypto.randomUUID(),
      type: "text",
      options: { title: { en: words.newText } },
      position: { col: 0, row, sizeX: 48, sizeY: 5 },
      slots: [],
    };
    this.change(withView(contents, { ...view, items: [...items, item] }));
    this.selected = item.id;
  }

  private renderPanel(contents: Contents, view: BoardView, item: BoardItem): TemplateResult {
    const put = (next: BoardItem) => this.change(withItem(contents, view, next));
    const types: Readonly<Record<string, string>> = words.types;
    const known = Object.entries(types);
    return html`<aside class="item-panel surface" aria-label=${words.item}>
      ${textField({
        id: "item-title",
        label: words.itemTitle,
        value: textOf(item.options?.["title"]),
        hint: words.itemHelp,
        onInput: (title) => put({ ...item, options: { ...item.options, title: { en: title } } }),
      })}
      ${
        types[item.type] === undefined
          ? ""
          : selectField({
              id: "item-type",
              label: words.itemType,
              value: item.type,
              choices: known.map(([value, label]) => ({ value, label })),
              onSelect: (type) => put({ ...item, type }),
            })
      }
      <button
        class="button danger"
        @click=${() => {
          this.change(withoutItem(contents, view, item.id));
          this.selected = undefined;
        }}
      >
        ${words.removeItem}
      </button>
    </aside>`;
  }
}
