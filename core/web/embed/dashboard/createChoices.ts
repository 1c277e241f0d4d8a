import {
  queryOf,
  pickedItem,
  choiceOf,
  pickKeyOf,
  unknownPick,
  type Picks,
  type ItemFilters,
  type Mark,
  type GroupKey,
  type ComparedPeriod,
  type DashboardState,
  type GivenState,
  type ChartItem,
  type ControlValue,
} from "../../charts/index.ts";
import type { Controls } from "../controls/index.ts";
import type { CallHost } from "../host/index.ts";
import {
  clauseOf,
  createDrills,
  createSelections,
  dimensionsOf,
  fitsField,
  keyOf,
  type Clause,
} from "../selections/index.ts";
import type { Choice } from "../view/index.ts";
import { createChips } from "./createChips.ts";
import type { DashboardEvents } from "./dashboardEvents.ts";
import { datasetsOf } from "./itemFilters.ts";
import { openBrushes } from "./openBrushes.ts";
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
  /** Returns the script of controls; undefined for a dashboard without filter items. */
  controls(): Controls | undefined;
  /** Returns the title of an item, which names the choices made in it. */
  titleOf(itemId: string): string;
  /** Called when the reader changed a choice. */
  onChange(): void;
  onFailure(failure: unknown, itemId: string): void;
  emit<Name extends "filter" | "drill">(name: Name, detail: DashboardEvents[Name]): void;
}

/** The reader's choices in a dashboard: marks, brushes, values of controls and levels of periods. */
export interface Choices {
  /** The row of chips, one for each choice. */
  readonly root: HTMLElement;
  /** Returns the reader's filters for an item, without filters from the source `without`. */
  whereFor(item: ChartItem, without?: string): readonly object[];
  /** Returns the periods with which the reader compares an item's datetimes. */
  compareFor(item: ChartItem): readonly ComparedPeriod[];
  /** Returns the level to which the reader drilled in an item; undefined for its original level. */
  levelFor(itemId: string): number | undefined;
  /** Returns what the reader chose in the pickers of an item. */
  picksFor(itemId: string): Picks;
  /**
   * Shows another column in a slot of an item: the choice with this key of the slot's picker. "" shows the stored
   * columns again.
   */
  pick(itemId: string, slot: string, key: string): void;
  choose(itemId: string, choice: Choice | undefined): void;
  /** Drills down into the period of a mark. Without a mark, goes up one level. */
  drill(itemId: string, mark: Mark | undefined): void;
  /**
   * Sets or removes the clause of a source. Every item that it filters is queried again; earlier queries are cancelled.
   */
  select(source: string, clause: Clause | undefined): void;
  /** Returns what the reader chose in a control. */
  valueOf(itemId: string): ControlValue | undefined;
  /** Sets what the reader chose in a control. `nameOf` returns the name of a value of a list. */
  setValue(
    itemId: string,
    value: ControlValue | undefined,
    nameOf: (value: string | number | null) => string | undefined,
  ): void;
  /** Returns all choices in items, as JSON. */
  state(): DashboardState;
  /**
   * Replaces all choices in items by those of a state, without loading items. With `keepsOthers`, choices in items that
   * this screen does not show stay. Returns the paths of the parts that do not fit the items.
   */
  restore(state: GivenState, keepsOthers: boolean): readonly string[];
  /** Prepares a brush over an item. Called when the pointer enters the item's picture. */
  prepareBrush(itemId: string): void;
  brush(itemId: string, rows: readonly number[], isDone: boolean): void;
  /** Says which parts of a state were ignored; "" for none. */
  say(text: string): void;
  /**
   * Draws the chips in the current language, and discards the plan of a brush. Choices in controls are written again
   * for another language or time zone.
   */
  draw(isOtherRegion: boolean): void;
  /** Discards cached rows because all items are outdated. */
  forgetRows(): void;
  close(): void;
}

/** Keeps the choices of the reader, and queries the items that they filter. */
export function createChoices(options: ChoicesOptions): Choices {
  const { items, stored, readerRegion, loadItem, emit } = options;
  const selections = createSelections();
  const drills = createDrills();
  const values = new Map<string, ControlValue>();
  const picks = new Map<string, Picks>();
  /** Keys of the groups that are selected in items. Items of other screens keep their selections. */
  const selected = new Map<string, readonly string[]>();
  const chips = createChips({
    titleOf: options.titleOf,
    onUp: (itemId) => drill(itemId, undefined),
    onRemove: remove,
    onClear() {
      for (const [source] of selections.entries()) remove(source);
      for (const [itemId] of drills.steps())
        while (drills.levelFor(itemId)) drill(itemId, undefined);
    },
  });
  const brushes = openBrushes({
    ...options,
    clauseOf: (open) => clauseOfRows(open, open.chosen()),
    take(itemId, clause, isDone) {
      selections.set(itemId, clause);
      selected.set(itemId, [...(items.get(itemId)?.chosenKeys() ?? [])]);
      drawChips();
      if (isDone) emitFilters();
    },
    release(itemId, isDone) {
      selected.delete(itemId);
      if (isDone || selections.get(itemId)) select(itemId, undefined);
    },
  });

  const drawChips = () => chips.show(selections, drills, readerRegion().localeId);

  const picksFor = (id: string): Picks => picks.get(id) ?? {};

  /** Returns an item with the columns that the reader chose, at its original level. */
  function originOf(id: string): ChartItem | undefined {
    const item = stored.get(id);
    return item && pickedItem(item, picksFor(id));
  }

  function pick(id: string, slot: string, key: string): void {
    const open = items.get(id);
    const of = stored.get(id);
    const picker = of?.pickers?.find((each) => each.slot === slot);
    if (!open || !of || !picker || (key !== "" && !choiceOf(picker, key))) return;
    const { [slot]: _, ...others } = picksFor(id);
    const own = of.fields.filter((field) => field.slot === slot);
    const isStored = own.length === 1 && own.every((field) => pickKeyOf(field) === key);
    const next = isStored || key === "" ? others : { ...others, [slot]: key };
    if (Object.keys(next).length > 0) picks.set(id, next);
    else picks.delete(id);
    // Selections and periods refer to the columns that the item showed before.
    while (drills.up(id));
    open.choose(undefined);
    selected.delete(id);
    open.setItem(originOf(id) ?? of);
    select(id, undefined);
    drawChips();
    loadItem(id);
    options.onChange();
  }

  function restorePicks(state: GivenState, ignored: string[]): void {
    for (const [id, given] of Object.entries(state.picks ?? {})) {
      const item = stored.get(id);
      if (!item || unknownPick(item, given) !== undefined) ignored.push(`picks.${id}`);
      else picks.set(id, given);
    }
  }

  function remove(source: string): void {
    values.delete(source);
    selected.delete(source);
    items.get(source)?.clear();
    select(source, undefined);
  }

  /**
   * Returns the clause for the groups with the given keys. The item must be at the level of the keys. Undefined for
   * keys of other columns.
   */
  function clauseOfKeys(item: ChartItem, keys: readonly GroupKey[]): Clause | undefined {
    const { fields = [] } = queryOf(item) ?? {};
    const dimensions = dimensionsOf(item, fields);
    const isKey = (key: GroupKey) =>
      key.length === dimensions.length &&
      dimensions.every((field, index) => fitsField(field, key[index] ?? null));
    if (!keys.every(isKey)) return undefined;
    return clauseOf({ item, fields, rows: keys, ...readerRegion() });
  }

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
    options.onChange();
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
    const of = originOf(id);
    if (!open || !of || !open.data()) return;
    if (!mark) {
      if (!drills.up(id)) return;
    } else {
      const level = drills.levelBelow(open.item);
      const clause = mark.row === undefined ? undefined : clauseOfRows(open, [mark.row]);
      if (level === undefined || !clause) return;
      const cells = open.data()?.rows[mark.row ?? -1] ?? [];
      const count = dimensionsOf(open.item, open.data()?.fields ?? []).length;
      const key = keyOf(cells.slice(0, count));
      drills.down(id, { level, where: clause.where, label: clause.label, key });
    }
    const next = drills.itemOf(of);
    open.choose(undefined);
    selected.delete(id);
    open.setItem(next);
    select(id, undefined);
    drawChips();
    loadItem(id);
    emit("drill", { itemId: id, level: levelOf(next) });
    options.onChange();
  }

  function restoreValues(state: GivenState, ignored: string[]): void {
    const controls = options.controls();
    for (const [id, given] of Object.entries(state.filters ?? {})) {
      const item = stored.get(id);
      const isControl = controls !== undefined && item !== undefined && items.get(id)?.control;
      const value = isControl ? controls.readControlValue(controls.formOf(item), given) : undefined;
      const clause = value && item && controls?.clauseOfControl({ item, value, ...readerRegion() });
      if (!value || !clause) ignored.push(`filters.${id}`);
      else {
        values.set(id, value);
        selections.set(id, clause);
      }
    }
  }

  function rewriteValues(): void {
    for (const [id, value] of values) {
      const item = stored.get(id);
      const clause =
        item && options.controls()?.clauseOfControl({ item, value, ...readerRegion() });
      if (clause) selections.set(id, clause);
    }
  }

  function restoreDrills(state: GivenState, ignored: string[]): void {
    for (const [id, steps] of Object.entries(state.drills ?? {})) {
      const open = items.get(id);
      const of = originOf(id);
      for (const { level, key } of steps) {
        const item = of && drills.itemOf(of);
        const clause =
          item && drills.levelBelow(item) === level ? clauseOfKeys(item, [key]) : undefined;
        if (!open || !of || !clause) {
          ignored.push(`drills.${id}`);
          break;
        }
        drills.down(id, { level, where: clause.where, label: clause.label, key: keyOf(key) });
        open.setItem(drills.itemOf(of));
      }
    }
  }

  function restoreSelections(state: GivenState, ignored: string[]): void {
    for (const [id, keys] of Object.entries(state.selections ?? {})) {
      const open = items.get(id);
      const fits = open !== undefined && !open.control;
      const clause = fits ? clauseOfKeys(open.item, keys) : undefined;
      if (!open || !clause) {
        ignored.push(`selections.${id}`);
        continue;
      }
      open.chooseKeys(keys.map(keyOf));
      selections.set(id, clause);
      selected.set(id, keys.map(keyOf));
    }
  }

  return {
    root: chips.root,
    whereFor: (item, without) => [
      ...drills.whereFor(item.id),
      ...selections.whereFor(item.id, datasetsOf(item), without),
    ],
    compareFor(item) {
      const datasetIds = datasetsOf(item);
      return [...values].flatMap(([id, value]) => {
        const control = stored.get(id);
        const period = control && options.controls()?.comparedPeriodOf(control, value);
        return period && datasetIds.includes(period.dataset_id) ? [period] : [];
      });
    },
    levelFor: drills.levelFor,
    picksFor,
    pick,
    choose(id, choice) {
      const open = items.get(id);
      if (!open?.data()) return;
      open.choose(choice);
      const clause = clauseOfRows(open, open.chosen());
      if (clause) selected.set(id, [...open.chosenKeys()]);
      else selected.delete(id);
      select(id, clause);
    },
    valueOf: (itemId) => values.get(itemId),
    setValue(id, value, nameOf) {
      const item = items.get(id)?.item;
      const clause =
        value &&
        item &&
        options.controls()?.clauseOfControl({ item, value, nameOf, ...readerRegion() });
      if (value && clause) values.set(id, value);
      else values.delete(id);
      select(id, clause);
    },
    state() {
      const steps = drills
        .steps()
        .map(
          ([id, all]) => [id, all.map(({ level, key }) => ({ level, key: cellsOf(key) }))] as const,
        );
      return {
        version: 1,
        ...(values.size > 0 && { filters: Object.fromEntries(values) }),
        ...(selected.size > 0 && {
          selections: Object.fromEntries(
            [...selected].map(([id, keys]) => [id, keys.map(cellsOf)]),
          ),
        }),
        ...(steps.length > 0 && { drills: Object.fromEntries(steps) }),
        ...(picks.size > 0 && { picks: Object.fromEntries(picks) }),
      };
    },
    restore(state, keepsOthers) {
      brushes.replan();
      const ignored: string[] = [];
      const isKept = (source: string) => keepsOthers && !items.has(source);
      for (const source of [...values.keys(), ...selected.keys()].filter((each) => !isKept(each))) {
        values.delete(source);
        selected.delete(source);
        selections.set(source, undefined);
      }
      drills.clear();
      for (const id of picks.keys()) if (!isKept(id)) picks.delete(id);
      restorePicks(state, ignored);
      for (const [id, open] of items) {
        open.chooseKeys([]);
        const item = originOf(id);
        if (item) open.setItem(item);
      }
      restoreValues(state, ignored);
      restoreDrills(state, ignored);
      restoreSelections(state, ignored);
      drawChips();
      return ignored.filter((path) => !isKept(path.slice(path.indexOf(".") + 1)));
    },
    drill,
    select,
    prepareBrush: (itemId) => void brushes.prepare(itemId),
    brush: brushes.brush,
    say: chips.say,
    draw(isOtherRegion) {
      brushes.replan();
      if (isOtherRegion) rewriteValues();
      drawChips();
    },
    forgetRows: brushes.forget,
    close: brushes.close,
  };
}

/** Returns the cells of a key that `keyOf` wrote. */
function cellsOf(key: string): GroupKey {
  const cells: GroupKey = JSON.parse(key);
  return cells;
}

/** Returns the level of an item's first datetime that has a level; 0 if no datetime has one. */
function levelOf({ fields }: ChartItem): number {
  return fields.find(({ type, level }) => type === "datetime" && level !== undefined)?.level ?? 0;
}
