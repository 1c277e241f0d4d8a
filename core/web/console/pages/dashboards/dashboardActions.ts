import { saveFile } from "../../../embed/index.ts";
import { textOf } from "../../language/index.ts";
import { confirmAndRun, notify, notifyFailure, type ConsoleContext } from "../../parts/index.ts";
import type { FilterScope } from "./boardFilters.ts";
import {
  withNewItem,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import type { DashboardDraft } from "./createDashboardDraft.ts";
import { offersOf } from "./offersOf.ts";
import { openEmbed } from "./openEmbed.ts";
import { openFilters } from "./openFilters.ts";
import { openNewFilterItem } from "./openNewFilterItem.ts";
import { openShare } from "./sharing/index.ts";
import { openTheme, type StoredTheme } from "./openTheme.ts";
import { openVersions } from "./openVersions.ts";
import { words } from "./words.ts";

export interface DashboardActionsOptions {
  readonly context: ConsoleContext;
  readonly dashboardId: string;
  readonly draft: DashboardDraft;
  /** The theme that the current view names. */
  readonly theme: StoredTheme | undefined;
  /** Returns the view of the contents that is currently shown. */
  viewIn(contents: Contents): BoardView;
  /** Creates a file of the dashboard as the reader sees it. */
  exportFile(type: string): Promise<Blob>;
  onTheme(theme: StoredTheme | undefined): void;
  onSelect(id: string): void;
}

/** Actions on one dashboard, for its bar and the command palette. */
export interface DashboardActions {
  showVersions(): Promise<void>;
  share(): void;
  embed(): void;
  /** Opens the filters of an item, or the filters of the dashboard if no item is given. */
  filters(item?: BoardItem): void;
  chooseTheme(): Promise<void>;
  addControl(): Promise<void>;
  addText(): void;
  export(): Promise<void>;
  removeAll(): Promise<void>;
}

/** Creates the actions for a dashboard in its current state. */
export function dashboardActions(options: DashboardActionsOptions): DashboardActions {
  const { context, dashboardId, draft, theme, viewIn, exportFile, onTheme, onSelect } = options;
  const { api, router } = context;
  const add = (
    item: Omit<BoardItem, "position">,
    size: { readonly sizeX: number; readonly sizeY: number },
  ) => {
    const { contents } = draft.current;
    draft.change({ contents: withNewItem(contents, viewIn(contents), item, size) });
    onSelect(item.id);
  };
  const openEmbedding = () => {
    const { contents } = draft.current;
    void openEmbed({ api, dashboardId, contents, theme: context.theme });
  };
  return {
    async showVersions() {
      const { contents: now } = draft.current;
      const contents = await openVersions({ api, dashboardId, now });
      if (!contents) return;
      draft.change({ contents });
      if (await draft.save()) notify({ text: words.restored });
    },
    share() {
      const { name, contents } = draft.stored;
      const { mayEmbed } = offersOf(draft.right, context);
      const embed = mayEmbed ? { embed: openEmbedding } : {};
      void openShare({
        context,
        dashboardId,
        name: textOf(name),
        contents: contents ?? {},
        ...embed,
      });
    },
    embed: openEmbedding,
    filters(item) {
      const scope = (): FilterScope =>
        item
          ? { kind: "item", view: viewIn(draft.current.contents), itemId: item.id }
          : { kind: "dashboard" };
      void openFilters({
        api,
        title: item ? words.filtersOfItem : words.filtersOfAll,
        contents: () => draft.current.contents,
        scope,
        onChange: (contents) => draft.change({ contents }),
      });
    },
    async chooseTheme() {
      const chosen = await openTheme(api, theme?.id);
      if (chosen === undefined) return;
      const { contents } = draft.current;
      const view = viewIn(contents);
      const { theme: _, ...others } = view.options ?? {};
      const themed = { ...others, ...(chosen && { theme: { id: chosen.id } }) };
      onTheme(chosen ?? undefined);
      draft.change({ contents: withView(contents, { ...view, options: themed }) });
    },
    async addControl() {
      const item = await openNewFilterItem(api, draft.current.contents);
      if (item) add(item, { sizeX: 12, sizeY: item.type === "slicer-filter" ? 18 : 6 });
    },
    addText() {
      const id = crypto.randomUUID();
      const item = { id, type: "text", options: { title: { en: words.newText } }, slots: [] };
      add(item, { sizeX: 48, sizeY: 5 });
    },
    async export() {
      try {
        saveFile(await exportFile("pdf"), draft.current.name, "pdf");
      } catch (failure) {
        notifyFailure(failure);
      }
    },
    async removeAll() {
      const isDone = await confirmAndRun({
        action: words.remove,
        title: words.removeTitle,
        text: words.removeText(draft.current.name),
        done: words.removed,
        run: () => api.remove("securable", dashboardId),
      });
      if (!isDone) return;
      draft.discard();
      router.go("/dashboards");
    },
  };
}
