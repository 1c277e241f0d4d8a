import type { ChartItem, ItemFilters, Mark } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import { clauseOf, createDrills, createSelections, type Clause } from "../selections/index.ts";
import type { Choice } from "../view/index.ts";
import { createBrushes } from "./createBrushes.ts";
import { createChips } from "./createChips.ts";
import type { DashboardEvents } from "./dashboardEvents.ts";
import { datasetsOf } from "./itemFilters.ts";
import type { OpenItem } from "./openItem.ts";

export interface ChoicesOptions {
  readonly items: ReadonlyMap<string, OpenItem>;
  /** Items as stored, completed with their columns, at their original levels. */
  readonly stored: ReadonlyMap<string, ChartItem>;
  readonly callHost: CallHost;
  readonly signal: AbortSignal;
  readerRegion(): { readonly timezoneId: string; readonly localeId: string };
  /** Returns all filters of an item, without filters from the source `without`. */
  filtersFor(itemId: string, without: string): ItemFilters;
  loadItem(itemId: string): void;
  emit<Name extends "filter" | "drill">(name: Name, detail: DashboardEvents[Name]): void;
}

/** The reader's choices in a dashboard: marks, brushes, values of controls and levels of periods. */
export interface Choices {
  /** The row of chips, one for each choice. */
  readonly root: HTMLElement;
  /** Returns the reader's filters for an item, without filters from the source `without`. */
  whereFor(item: ChartItem, without?: string): readonly object[];
  choose(itemId: string, choice: Choice | undefined): void;
  /** Drills down into the period of a mark. Without a mark, goes up one level. */
  drill(itemId: string, mark: Mark | undefined): void;
  /**
   * Sets or removes the clause of a source. Every item that it filters is queried again; earlier queries are cancelled.
   */
  select(source: string, clause: Clause | undefined): void;
  /** Prepares a brush over an item. Called when the pointer enters the item's picture. */
  prepareBrush(itemId: string): void;
  brush(itemId: string, rows: readonly number[], isDone: boolean): void;
  /** Draws the chips in the current language, and discards the plan of a brush. */
  draw(): void;
  /** Resets all items to their original levels. */
  clearLevels(): void;
  /** Discards cached rows because all items are outdated. */
  forgetRows(): void;
  close(): void;
}

/** Keeps the choices of the reader, and queries the items that they filter. */
export function createChoices(options: ChoicesOptions): Choices {
  const { items, stored, readerRegion, loadItem, emit } = options;
  const selections = createSelections();
  const drills = createDrills();
  const chips = createChips({
    onUp: (itemId) => drill(itemId, undefined),
    onRemove(source) {
      items.get(source)?.clear();
      select(source, undefined);
    },
  });
  const brushes = createBrushes({
    ...options,
    clauseOf: (open) => clauseOfRows(open, open.chosen()),
    take(itemId, clause, isDone) {
      selections.set(itemId, clause);
      drawChips();
      if (isDone) emitFilters();
    },
    release(itemId, isDone) {
      if (isDone || selections.get(itemId)) select(itemId, undefined);
    },
  });

  const drawChips = () => chips.show(selections, drills, readerRegion().localeId);

  function clauseOfRows(open: OpenItem, chosen: Iterable<number>): Clause | undefined {
    const { fields, rows } = open.data() ?? { fields: [], rows: [] };
    return clauseOf({
      item: open.item,
      fields,
      rows: [...chosen].flatMap((row) => {
        const found = rows[row];
        return found ? [found] : [];
      }),
      ...readerRegion(),
    });
  }

  function emitFilters(): void {
    emit("filter", {
      filters: selections.entries().map(([source, { label, where }]) => ({ source, label, where })),
    });
  }

  function select(source: string, clause: Clause | undefined): void {
    brushes.replan();
    const before = selections.get(source);
    if (!before && !clause) return;
    selections.set(source, clause);
    drawChips();
    emitFilters();
    const touched = new Set([...(before?.datasetIds ?? []), ...(clause?.datasetIds ?? [])]);
    for (const [id, { item }] of items)
      if (id !== source && datasetsOf(item).some((datasetId) => touched.has(datasetId)))
        loadItem(id);
  }

  function drill(id: string, mark: Mark | undefined): void {
    const open = items.get(id);
    const of = stored.get(id);
    if (!open || !of || !open.data()) return;
    if (!mark) {
      if (!drills.up(id)) return;
    } else {
      const level = drills.levelBelow(open.item);
      const clause = mark.row === undefined ? undefined : clauseOfRows(open, [mark.row]);
      if (level === undefined || !clause) return;
      drills.down(id, { level, where: clause.where, label: clause.label });
    }
    const next = drills.itemOf(of);
    open.choose(undefined);
    open.setItem(next);
    select(id, undefined);
    drawChips();
    loadItem(id);
    emit("drill", { itemId: id, level: levelOf(next) });
  }

  return {
    root: chips.root,
    whereFor: (item, without) => [
      ...drills.whereFor(item.id),
      ...selections.whereFor(item.id, datasetsOf(item), without),
    ],
    choose(id, choice) {
      const open = items.get(id);
      if (!open?.data()) return;
      open.choose(choice);
      select(id, clauseOfRows(open, open.chosen()));
    },
    drill,
    select,
    prepareBrush: (itemId) => void brushes.prepare(itemId),
    brush: brushes.brush,
    draw() {
      brushes.replan();
      drawChips();
    },
    clearLevels() {
      brushes.replan();
      drills.clear();
      drawChips();
    },
    forgetRows: brushes.forget,
    close: brushes.close,
  };
}

/** Returns the level of an item's first datetime that has a level; 0 if no datetime has one. */
function levelOf({ fields }: ChartItem): number {
  return fields.find(({ type, level }) => type === "datetime" && level !== undefined)?.level ?? 0;
}
