import { saveFile } from "../../../embed/index.ts";
import { localized, textOf } from "../../language/index.ts";
import { confirmAndRun, notify, notifyFailure, type ConsoleContext } from "../../parts/index.ts";
import type { FilterScope } from "./boardFilters.ts";
import {
  withoutItem,
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { copyOf, keepCopy, keptCopy, withCopy, type CopiedItem } from "./copiedItem.ts";
import type { DashboardDraft } from "./createDashboardDraft.ts";
import { withNewFilter } from "./filterBar.ts";
import { withNewItem } from "./gridPlaces.ts";
import { offersOf } from "./offersOf.ts";
import { openEmbed } from "./openEmbed.ts";
import { openFilters } from "./openFilters.ts";
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
  /** Selects an item and shows it; undefined selects none. */
  onSelect(id: string | undefined): void;
  /** Called with a new chart, whose type follows its columns until the reader chooses one. */
  onNewChart(id: string): void;
}

/** Actions on one dashboard, for its bar and the command palette. */
export interface DashboardActions {
  showVersions(): Promise<void>;
  share(): void;
  embed(): void;
  /** Opens the filters of an item, or the filters of the dashboard if no item is given. */
  filters(item?: BoardItem): void;
  chooseTheme(): Promise<void>;
  /** Adds an empty chart, whose panel offers the columns of a dataset. */
  addChart(): void;
  addText(): void;
  duplicate(id: string): void;
  /** Keeps an item, so that it can be pasted into this or another dashboard, in any tab. */
  copy(id: string): void;
  paste(): void;
  removeItem(id: string): void;
  export(): Promise<void>;
  removeAll(): Promise<void>;
}

/** Creates the actions for a dashboard in its current state. */
export function dashboardActions(options: DashboardActionsOptions): DashboardActions {
  const { context, dashboardId, draft, theme, viewIn, exportFile } = options;
  const { onTheme, onSelect, onNewChart } = options;
  const { api, router, user, guest } = context;
  const newText = () => ({
    id: crypto.randomUUID(),
    type: "text",
    options: { title: localized(words.newText) },
    slots: [],
  });
  const add = (item: Omit<BoardItem, "position">) => {
    const { contents } = draft.current;
    draft.change({ contents: withNewItem(contents, viewIn(contents), item) });
    onSelect(item.id);
  };
  const addCopy = (copied: CopiedItem) => {
    const { contents } = draft.current;
    const id = crypto.randomUUID();
    draft.change({ contents: withCopy(contents, viewIn(contents), copied, id) });
    onSelect(id);
  };
  const copied = (id: string) => copyOf(viewIn(draft.current.contents), id);
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
        title: item ? words.filtersOfItem : words.addFilter,
        contents: () => draft.current.contents,
        scope,
        onChange: (contents) => draft.change({ contents }),
        ...(!item &&
          guest?.mode !== "limited" && {
            onAdd: (filter) => {
              const { contents } = draft.current;
              draft.change({ contents: withNewFilter(contents, viewIn(contents), filter) });
              onSelect(filter.id);
            },
          }),
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
    addChart() {
      const id = crypto.randomUUID();
      onNewChart(id);
      add({ id, type: "bar-chart", options: {}, slots: [] });
    },
    addText: () => add(newText()),
    duplicate(id) {
      const copy = copied(id);
      if (copy) addCopy(copy);
    },
    copy(id) {
      const copy = copied(id);
      if (!copy) return;
      keepCopy(user.id, copy);
      notify({ text: words.itemCopied });
    },
    paste() {
      const kept = keptCopy(user.id);
      if (kept) addCopy(kept);
      else notify({ text: words.nothingCopied });
    },
    removeItem(id) {
      const { contents } = draft.current;
      draft.change({ contents: withoutItem(contents, viewIn(contents), id) });
      onSelect(undefined);
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
