import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { screens, type Screen } from "../../../charts/index.ts";
import { elementOf, moreIcon, openMenu, type Guest, type MenuItem } from "../../parts/index.ts";
import { textOf } from "../../language/index.ts";
import { hasView } from "./contents.ts";
import type { DashboardDraft } from "./createDashboardDraft.ts";
import type { Offers } from "./offersOf.ts";
import { words } from "./words.ts";

export interface DashboardBarOptions {
  readonly draft: DashboardDraft;
  readonly isEditing: boolean;
  readonly screen: Screen;
  readonly filterCount: number;
  readonly more: readonly MenuItem[];
  readonly offers: Offers;
  /** The element of another site that shows the dashboard; undefined in the console. */
  readonly guest: Guest | undefined;
  /** Address of the page for questions about the dashboard; undefined on a host without a model. */
  readonly askAddress: string | undefined;
  /** Name of the view that is shown; undefined without a view. */
  readonly viewName: string | undefined;
  onScreen(screen: Screen): void;
  onOwnLayout(): void;
  onEdit(): void;
  onDone(): void;
  onAddChart(): void;
  onAddText(): void;
  onFilters(): void;
  onTheme(): void;
  /** Opens the menu of views below a button. */
  onViews(button: HTMLElement): void;
  onShare(): void;
  onEmbed(): void;
}

/** The screens in the order in which authors choose one. */
const offeredScreens: readonly Screen[] = ["desktop", "tablet", "mobile", "largeScreen", "fixed"];

/** The bar above a dashboard: its name and the available actions. */
export function dashboardBar(options: DashboardBarOptions): TemplateResult {
  const { draft, isEditing, more } = options;
  // Unsaved changes are shown only to those who edit them.
  const name = isEditing ? draft.current.name : textOf(draft.stored.name);
  return html`<header class="dashboard-bar">
    ${
      isEditing
        ? html`<h1 class="visually-hidden">${name}</h1>
            <input
              class="input name-input"
              aria-label=${words.name}
              .value=${live(name)}
              @input=${(event: Event) => {
                const text = elementOf(event.target, HTMLInputElement).value;
                if (text.trim() !== "") draft.change({ name: text }, "name");
              }}
              @change=${(event: Event) => {
                const input = elementOf(event.target, HTMLInputElement);
                input.value = name.trim();
                if (name !== name.trim()) draft.change({ name: name.trim() }, "name");
              }}
            />`
        : html`<h1 class="truncate">${name}</h1>`
    }
    ${draft.isChanged ? html`<span class="badge warn">${words.unsaved}</span>` : ""}
    ${isEditing ? editingTools(options) : viewingTools(options)}
    <button
      class="button quiet icon"
      aria-label=${words.more}
      aria-haspopup="menu"
      @click=${(event: Event) =>
        openMenu(elementOf(event.currentTarget, HTMLElement), words.more, more)}
    >
      ${moreIcon}
    </button>
  </header>`;
}

const viewingTools = ({
  askAddress,
  guest,
  offers,
  viewName,
  onViews,
  onShare,
  onEmbed,
  onEdit,
}: DashboardBarOptions): TemplateResult => {
  const edit = offers.mayChange
    ? html`<button class="button toggle-editing" @click=${onEdit}>${words.edit}</button>`
    : "";
  if (guest) return html`${guest.mode === "view" ? "" : edit}`;
  return html`<button
      class="button truncate"
      aria-haspopup="menu"
      @click=${(event: Event) => onViews(elementOf(event.currentTarget, HTMLElement))}
    >
      ${viewName === undefined ? words.savedViews : `${words.savedViews}: ${viewName}`}
    </button>
    ${askAddress === undefined ? "" : html`<a class="button" href=${askAddress}>${words.ask}</a>`}
    ${offers.mayShare ? html`<button class="button" @click=${onShare}>${words.share}</button>` : ""}
    ${offers.mayEmbed ? html`<button class="button" @click=${onEmbed}>${words.embed}</button>` : ""}
    ${edit}`;
};

function editingTools(options: DashboardBarOptions): TemplateResult {
  const { draft, screen, filterCount, guest } = options;
  const isLimited = guest?.mode === "limited";
  const { onScreen, onOwnLayout, onAddText, onAddChart, onFilters, onTheme, onDone } = options;
  const { contents } = draft.current;
  const hasOwnLayout =
    hasView(contents, screen) && screens.some((each) => each !== screen && hasView(contents, each));
  return html`<select
      class="input"
      aria-label=${words.screen}
      @change=${(event: Event) => {
        const { value } = elementOf(event.target, HTMLSelectElement);
        const chosen = screens.find((each) => each === value);
        if (chosen) onScreen(chosen);
      }}
    >
      ${offeredScreens.map(
        (each) =>
          html`<option value=${each} ?selected=${each === screen}>
            ${hasView(contents, each) ? words.screens[each] : words.sameLayout(words.screens[each])}
          </option>`,
      )}
    </select>
    ${
      hasOwnLayout
        ? html`<button class="button quiet" @click=${onOwnLayout}>${words.removeLayout}</button>`
        : ""
    }
    <button class="button quiet" ?disabled=${!draft.canUndo} @click=${() => draft.undo()}>
      ${words.undo}
    </button>
    <button class="button quiet" ?disabled=${!draft.canRedo} @click=${() => draft.redo()}>
      ${words.redo}
    </button>
    ${isLimited ? "" : html`<button class="button" @click=${onAddChart}>${words.addChart}</button>`}
    <button class="button" @click=${onFilters}>
      ${filterCount === 0 ? words.addFilter : words.addFilterTo(filterCount)}
    </button>
    <button class="button" @click=${onAddText}>${words.addText}</button>
    ${isLimited ? "" : html`<button class="button" @click=${onTheme}>${words.theme}</button>`}
    <button class="button toggle-editing" @click=${onDone}>${words.finish}</button>
    <button
      class="button primary"
      ?disabled=${!draft.isChanged || draft.isSaving}
      @click=${() => void draft.save()}
    >
      ${draft.isSaving ? words.saving : words.save}
    </button>`;
}
