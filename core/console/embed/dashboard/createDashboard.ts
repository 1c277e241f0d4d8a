import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  createColors,
  filtersOf,
  fixedZoneOf,
  gridColumns,
  kindOfItem,
  listOf,
  looksOf,
  objectOf,
  queryOf,
  readView,
  resolveTheme,
  screenOfWidth,
  themeIdsOf,
  wallClock,
  type ChartItem,
  type ChartTheme,
  type Colors,
  type DashboardView,
  type Mark,
  type PlacedItem,
  type Screen,
} from "../../../charts/index.ts";
import { HostError, type Ask } from "../host/index.ts";
import { adoptStyles, applyTheme, element, viewWordsOf, type Choice } from "../view/index.ts";
import { createCube, cubeQuestionOf, keyOf, type Cube } from "./brushCube.ts";
import { clauseOf } from "./clauseOf.ts";
import { createDrills } from "./createDrills.ts";
import { createFilterControl, optionsQueryOf, type FilterControl } from "./createFilterControl.ts";
import { createSelections, type Clause } from "./createSelections.ts";
import type { DashboardEvents, ItemData } from "./dashboardEvents.ts";
import { dashboardStyles } from "./dashboardStyles.ts";
import { knownLocale, knownZone } from "./knownPlace.ts";
import { openItem, type OpenItem } from "./openItem.ts";
import { withParameters } from "./withParameters.ts";

/** The chip of an item in which the reader went down; ids of items have no space at their begin. */
const drillPrefix = " drill ";

/** Milliseconds of rest in a brush after which the host is asked. */
const brushPauseMs = 120;

type Json = Readonly<Record<string, unknown>>;

/** Members of a token that say how it shows dashboards. */
const ownAttributes = ["theme", "theme_id", "css", "locale_id", "timezone_id"];

interface ResolvedLook extends Omit<DashboardLook, "theme"> {
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
}

/** How a dashboard is shown; members may change while it is. */
export interface DashboardLook {
  /** Replaces the theme and css of the dashboard and of the token, which are shown when it is left out. */
  readonly theme?: "light" | "dark" | undefined;
  /** Colours of the page, laid over the theme, as `resolveTheme` reads them. */
  readonly css?: string | undefined;
  /** The language of the reader; of the token, then of the browser, when it is left out. */
  readonly localeId?: string | undefined;
  /** The zone of the reader, as the language; contents may fix another one. */
  readonly timezoneId?: string | undefined;
  /** The screen to show; by the width when it is left out. */
  readonly screen?: Screen | undefined;
  /** Filters of the page, in the words of the data service: every item of their dataset is filtered. */
  readonly filters?: readonly object[] | undefined;
  /** Values of parameters by name: defaults of filters, which overrides of the token replace. */
  readonly parameters?: Json | undefined;
}

export interface DashboardOptions {
  readonly ask: Ask;
  /** Returns the id of the token, whose theme, css, language and zone are read; undefined where it cannot be read. */
  readonly ownKey?: (() => Promise<string | undefined>) | undefined;
  readonly dashboardId: string;
  /** Shows one item of the dashboard, as large as the element. */
  readonly itemId?: string | undefined;
  readonly look: DashboardLook;
  emit<Name extends keyof DashboardEvents>(name: Name, detail: DashboardEvents[Name]): void;
}

/** The work of a brush over an item, as long as nothing else changes. */
interface BrushPlan {
  readonly id: string;
  /** The rows of the brushed item. */
  readonly rows: readonly unknown[];
  /** Items that are folded from a cube, by as many leading cells of a row. */
  readonly folded: readonly (readonly [OpenItem, Cube, number])[];
  /** Items that the host is asked for. */
  readonly asked: readonly string[];
  /** The rows that were brushed last. */
  brushed: string;
}

/** A dashboard on a page. */
export interface Dashboard {
  setLook(look: DashboardLook): void;
  /** Replaces the filter of a source of the page; without filters it is removed. */
  setFilter(source: string, where: readonly object[] | undefined, label?: string): void;
  /** Asks for all items again; one that is asked already is asked anew. */
  refresh(): Promise<void>;
  /** Returns the rows that an item shows. Rejects for an item that is not there or failed. */
  getData(itemId: string): Promise<ItemData>;
  export(type: string, itemId?: string): Promise<Blob>;
  close(): void;
}

/**
 * Shows a dashboard in an element: its contents by the grid, items side by side, filters and selections. The element is
 * in a shadow root already. Everything is asked with the token of the page: the host decides what it may see.
 */
export function createDashboard(
  container: HTMLElement | ShadowRoot,
  { ask, ownKey, dashboardId, itemId, look: firstLook, emit }: DashboardOptions,
): Dashboard {
  let given = firstLook;
  let record: Json = {};
  let own: Json = {};
  let themes: ReadonlyMap<string, unknown> = new Map();
  let view: DashboardView | undefined;
  let look = resolved();
  const chips = element("div", { class: "mf-chips", part: "filters", role: "group" });
  const cells = element("div", { class: "mf-cells", part: "grid" });
  const root = element("div", { class: "mf-dashboard", part: "dashboard" }, chips, cells);
  chips.hidden = true;
  root.classList.toggle("mf-single", itemId !== undefined);
  container.append(root);
  adoptStyles(container, dashboardStyles());
  applyTheme(root, look.theme);

  const closing = new AbortController();
  const selections = createSelections();
  const drills = createDrills();
  /** Items as the contents and their columns say them, at their own level. */
  const stored = new Map<string, ChartItem>();
  const chipBySource = new Map<string, HTMLElement>();
  const controls = new Map<string, FilterControl>();
  const items = new Map<string, OpenItem>();
  let colors: Colors = createColors(look.theme);
  /** Cubes by their question; undefined for a cube that loads or cannot be used. */
  const cubes = new Map<string, Cube | undefined>();
  let brushTimer: ReturnType<typeof setTimeout> | undefined;
  let plan: BrushPlan | undefined;
  let contents: Json | undefined;
  let shownScreen: Screen | undefined;
  let columns: readonly Json[] = [];
  let loading: Promise<void> = load();

  /** The look as the page, the dashboard and the token give it; the same theme stays the same object. */
  function resolved(before?: ChartTheme): ResolvedLook {
    const { theme: wanted, css } = given;
    const token = { theme: own["theme"], themeId: own["theme_id"], css: own["css"] };
    const sources = { view: view?.stored ?? {}, css: record["css"], token };
    const below = wanted ? [{ theme: { type: wanted } }] : looksOf(sources, themes);
    const theme = resolveTheme(undefined, css ? [...below, { css }] : below);
    return {
      ...given,
      theme: before && isEqual(theme, before) ? before : theme,
      localeId: given.localeId ?? knownLocale(own["locale_id"]) ?? browserLocale(),
      timezoneId: given.timezoneId ?? knownZone(own["timezone_id"]) ?? browserZone(),
    };
  }

  function takeLook(): void {
    const before = look.theme;
    look = resolved(before);
    if (look.theme === before) return;
    applyTheme(root, look.theme);
    colors = createColors(look.theme);
  }

  /** Reads what the token says of its own look. Without it, the dashboard shows as it is. */
  async function readOwn(): Promise<Json> {
    try {
      const key = await ownKey?.();
      if (key === undefined) return {};
      return (await findOne("authorization", key, ownAttributes)) ?? {};
    } catch (failure) {
      if (failure instanceof HostError) return {};
      throw failure;
    }
  }

  async function readThemes(): Promise<void> {
    const token = { themeId: own["theme_id"] };
    const ids = themeIdsOf({ view: view?.stored ?? {}, css: undefined, token });
    if (given.theme !== undefined || ids.every((id) => themes.has(id))) return;
    const found = await findAll("theme", { id: { in: ids } }, ["theme"]);
    themes = new Map(found.map((each) => [String(each["id"]), each["theme"]]));
  }

  const screenNow = () => look.screen ?? screenOfWidth(root.clientWidth || 1_024);
  const zone = () => zoneOf(contents) ?? look.timezoneId;

  async function load(): Promise<void> {
    try {
      const asked = findOne("securable", dashboardId, ["type", "name", "contents", "css"]);
      [record = {}, own] = await Promise.all([asked, readOwn()]);
      const { type, contents: found } = record;
      if (type !== "dashboard" || typeof found !== "object" || found === null)
        throw new HostError(`there is no dashboard ${dashboardId} that this token may see`, 404);
      contents = withParameters(objectOf(found), look.parameters);
      await build();
    } catch (failure) {
      if (closing.signal.aborted) return;
      drawProblem(failure);
      fail(failure);
    }
  }

  async function findAll(resource: string, where: Json, attributes: readonly string[]) {
    const { rows } = await ask(
      resource,
      { action: "get", find: { where, attributes } },
      { signal: closing.signal },
    );
    return listOf(rows).map(objectOf);
  }

  async function findOne(resource: string, id: string, attributes: readonly string[]) {
    return (await findAll(resource, { id }, attributes))[0];
  }

  /** Lays the items of a screen out, and asks for their data while their columns are read. */
  async function build(): Promise<void> {
    if (!contents) return;
    shownScreen = screenNow();
    view = readView(contents, shownScreen);
    const placed =
      itemId === undefined ? view.items : view.items.filter(({ item }) => item.id === itemId);
    if (itemId !== undefined && placed.length === 0)
      throw new HostError(`the dashboard has no item ${itemId}`, 404);
    await readThemes();
    if (closing.signal.aborted) return;
    closeItems();
    takeLook();
    drills.clear();
    stored.clear();
    drawChips();
    colors = createColors(look.theme);
    root.classList.toggle(
      "mf-stacked",
      itemId === undefined && shownScreen === "mobile" && view.stored["screenModus"] !== "mobile",
    );
    for (const each of inReadingOrder(placed)) openCell(each);
    emit("ready", { dashboardId, itemIds: placed.map(({ item }) => item.id) });
    const ids = columnIdsOf(placed);
    const asked = ids.length === 0 ? [] : findAll("column", { id: { in: ids } }, columnAttributes);
    // Items whose contents say all that a question needs are asked at once.
    for (const [id, open] of items) if (isSelfContained(placed, id)) open.prepare(whereOf(id));
    columns = await asked;
    const complete = completeItems(placed, columns);
    await Promise.all(
      complete.map(async ({ item }) => {
        stored.set(item.id, item);
        items.get(item.id)?.setItem(item);
        await askItem(item.id);
      }),
    );
  }

  function openCell({ item, position }: PlacedItem): void {
    const cell = element("div", { class: "mf-cell", "data-item": item.id });
    const { col, row, sizeX, sizeY } = position;
    const from = Math.min(gridColumns - 1, Math.round(col));
    const span = Math.max(1, Math.min(gridColumns - from, Math.round(sizeX)));
    const height = Math.max(1, Math.round(sizeY));
    cell.style.setProperty("grid-column", `${from + 1} / span ${span}`);
    cell.style.setProperty("grid-row", `${Math.round(row) + 1} / span ${height}`);
    // A screen that is stacked keeps the heights.
    if (itemId === undefined) cell.style.setProperty("min-height", `${height * 16}px`);
    if (root.classList.contains("mf-stacked")) cell.style.setProperty("height", `${height * 16}px`);
    cells.append(cell);
    if (kindOfItem(item.type)?.kind === "filter") {
      const control = createFilterControl(cell, (clause) => select(item.id, clause));
      controls.set(item.id, control);
    }
    items.set(
      item.id,
      openItem({
        item,
        container: cell,
        control: controls.get(item.id),
        ask,
        look: () => ({ ...look, timezoneId: zone(), colors }),
        onChoose: (choice) => choose(item.id, choice),
        onDrill: (mark) => drill(item.id, mark),
        onHover: () => void prepareCubes(item.id),
        onBrush: (rows, isDone) => brush(item.id, rows, isDone),
        onLoad: (rowCount) => emit("load", { itemId: item.id, rowCount }),
        onFailure: (failure) => fail(failure, item.id),
        onRetry: () => void askItem(item.id),
      }),
    );
  }

  function whereOf(id: string, without?: string) {
    const open = items.get(id);
    if (!open || !contents || !view) return { where: [], having: [] };
    const datasetIds = open.item.fields.flatMap(({ datasetId }) => datasetId ?? []);
    const { where, having } = filtersOf({ contents, view: view.stored }, open.item);
    const ofPage = (look.filters ?? []).filter((filter) => concerns(filter, datasetIds));
    return {
      where: [
        ...where,
        ...ofPage,
        ...drills.whereFor(id),
        ...selections.whereFor(id, datasetIds, without),
      ],
      having,
    };
  }

  async function askItem(id: string): Promise<void> {
    const open = items.get(id);
    if (!open) return;
    const filters = whereOf(id);
    if (open.control) return open.load(optionsQueryOf(open.item, filters.where), filters);
    const asked = queryOf(open.item, {
      where: filters.where,
      timezoneId: zone(),
      localeId: look.localeId,
    });
    await open.load(asked?.query, filters);
  }

  function choose(id: string, choice: Choice | undefined): void {
    const open = items.get(id);
    if (!open?.data()) return;
    open.choose(choice);
    select(id, chosenClause(open));
  }

  /** Goes a level down into the period of a mark, or one up without a mark. */
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
    void askItem(id);
    emit("drill", { itemId: id, level: levelOf(next) });
  }

  function chosenClause(open: OpenItem): Clause | undefined {
    return clauseOfRows(open, open.chosen());
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
      localeId: look.localeId,
      timezoneId: zone(),
    });
  }

  /** The question for the cube of an item under a brush over another one, and where the cube is kept. */
  function cubeFor(brushed: string, linked: string) {
    const [source, open] = [items.get(brushed), items.get(linked)];
    if (!source || !open || open.control || source === open) return undefined;
    const filters = whereOf(linked, brushed);
    if (filters.having.length > 0) return undefined;
    const question = cubeQuestionOf(source.item, open.item, {
      where: filters.where,
      timezoneId: zone(),
      localeId: look.localeId,
    });
    return question && { question, key: JSON.stringify([brushed, linked, question.query]) };
  }

  /** Asks for the cubes of the items that a brush over one item would filter; the brush itself asks nothing then. */
  async function prepareCubes(id: string): Promise<void> {
    const source = items.get(id);
    const data = source?.data();
    if (!source || !data) return;
    for (const linked of linkedTo(id)) {
      const found = cubeFor(id, linked);
      if (!found || cubes.has(found.key)) continue;
      const { key, question } = found;
      const shown = new Set(data.rows.map((row) => keyOf(row.slice(0, question.brushCount))));
      cubes.set(key, undefined);
      try {
        const { data: rows } = await ask(
          "data",
          { action: "get", find: question.query },
          { signal: closing.signal },
        );
        cubes.set(key, createCube(question, Array.isArray(rows) ? rows : [], shown));
        plan = undefined;
      } catch (failure) {
        // A cube only saves questions: without it, the brush asks the host.
        if (!(failure instanceof HostError) && !closing.signal.aborted) throw failure;
      }
    }
  }

  function linkedTo(id: string): string[] {
    const named = new Set(items.get(id)?.item.fields.flatMap(({ datasetId }) => datasetId ?? []));
    return [...items].flatMap(([other, { item }]) =>
      other !== id &&
      item.fields.some(({ datasetId }) => datasetId !== undefined && named.has(datasetId))
        ? [other]
        : [],
    );
  }

  /** The items that a brush filters, with the cubes that are there: found once a brush, and when a cube arrives. */
  function planOf(id: string, rows: readonly unknown[]): BrushPlan {
    if (plan?.id === id && plan.rows === rows) return plan;
    const folded: [OpenItem, Cube, number][] = [];
    const asked: string[] = [];
    for (const linked of linkedTo(id)) {
      const found = cubeFor(id, linked);
      const cube = found && cubes.get(found.key);
      const open = items.get(linked);
      if (cube && open) folded.push([open, cube, found.question.brushCount]);
      else asked.push(linked);
    }
    plan = { id, rows, folded, asked, brushed: "" };
    return plan;
  }

  /** Filters the items that are linked to a brushed one: from their cubes at once, others by the host. */
  function brush(id: string, rows: readonly number[], isDone: boolean): void {
    const open = items.get(id);
    const data = open?.data();
    if (!open || !data) return;
    const planned = planOf(id, data.rows);
    const brushed = rows.join();
    // Most frames of a brush move within the marks of the frame before.
    if (!isDone && brushed === planned.brushed) return;
    planned.brushed = brushed;
    if (isDone) plan = undefined;
    open.chooseRows(rows);
    const clause = chosenClause(open);
    if (!clause) {
      if (isDone || selections.get(id)) select(id, undefined);
      return;
    }
    selections.set(id, clause);
    drawChips();
    for (const [linked, cube, brushCount] of planned.folded) {
      const keys = new Set(rows.map((row) => keyOf((data.rows[row] ?? []).slice(0, brushCount))));
      linked.showLocal(cube.fold(keys));
    }
    clearTimeout(brushTimer);
    const askAll = () => {
      for (const each of planned.asked) void askItem(each);
    };
    if (isDone) askAll();
    else brushTimer = setTimeout(askAll, brushPauseMs);
    if (isDone) emitFilters();
  }

  /** Takes the clause of a source; all items that it filters are asked anew, and earlier questions are cancelled. */
  function select(source: string, clause: Clause | undefined): void {
    plan = undefined;
    const before = selections.get(source);
    if (!before && !clause) return;
    selections.set(source, clause);
    drawChips();
    emitFilters();
    const touched = new Set([...(before?.datasetIds ?? []), ...(clause?.datasetIds ?? [])]);
    for (const [id, { item }] of items)
      if (
        id !== source &&
        item.fields.some(({ datasetId }) => datasetId !== undefined && touched.has(datasetId))
      )
        void askItem(id);
  }

  function emitFilters(): void {
    emit("filter", {
      filters: selections.entries().map(([source, { label, where }]) => ({ source, label, where })),
    });
  }

  function drawChips(): void {
    const words = viewWordsOf(look.localeId);
    const entries = [
      ...selections.entries().map(([source, { label }]) => ({
        source,
        text: `${label} ×`,
        says: `${words.remove} ${label}`,
      })),
      ...drills.entries().map(([id, label]) => ({
        source: `${drillPrefix}${id}`,
        text: `${label} ↑`,
        says: `${words.up} ${label}`,
      })),
    ];
    chips.hidden = entries.length === 0;
    chips.ariaLabel = words.filters;
    const shown = new Set(entries.map(({ source }) => source));
    for (const [source, chip] of chipBySource)
      if (!shown.has(source)) {
        chip.remove();
        chipBySource.delete(source);
      }
    for (const { source, text, says } of entries) {
      const chip = chipBySource.get(source) ?? openChip(source);
      chip.textContent = text;
      chip.ariaLabel = says;
    }
  }

  function openChip(source: string): HTMLElement {
    const chip = element("button", { type: "button", class: "mf-chip", part: "chip" });
    chip.addEventListener("click", () => {
      if (source.startsWith(drillPrefix)) return drill(source.slice(drillPrefix.length), undefined);
      items.get(source)?.choose(undefined);
      controls.get(source)?.clear();
      select(source, undefined);
    });
    chipBySource.set(source, chip);
    chips.append(chip);
    return chip;
  }

  function fail(failure: unknown, ofItem?: string): void {
    const { message, status, requestId } =
      failure instanceof HostError
        ? failure
        : {
            message: failure instanceof Error ? failure.message : String(failure),
            status: 0,
            requestId: undefined,
          };
    emit("error", {
      ...(ofItem !== undefined && { itemId: ofItem }),
      message,
      status,
      ...(requestId !== undefined && { requestId }),
    });
  }

  function drawProblem(failure: unknown): void {
    closeItems();
    const words = viewWordsOf(look.localeId);
    const retry = element("button", { type: "button", class: "mf-chip" }, words.retry);
    retry.addEventListener("click", () => {
      cells.replaceChildren();
      loading = load();
    });
    cells.replaceChildren(
      element(
        "div",
        { class: "mf-problem", part: "error", role: "alert" },
        element("strong", {}, words.noDashboard),
        element("div", {}, failure instanceof Error ? failure.message.slice(0, 300) : ""),
        retry,
      ),
    );
  }

  function closeItems(): void {
    plan = undefined;
    for (const open of items.values()) open.close();
    for (const control of controls.values()) control.close();
    items.clear();
    controls.clear();
    cells.replaceChildren();
  }

  const observer = new ResizeObserver(() => {
    if (
      contents &&
      itemId === undefined &&
      shownScreen !== undefined &&
      screenNow() !== shownScreen
    )
      loading = build().catch(fail);
  });
  observer.observe(root);
  // Items that failed while the browser was offline are asked again when it is back.
  const retryFailed = () => {
    for (const [id, open] of items) if (open.hasFailed()) void askItem(id);
  };
  addEventListener("online", retryFailed);

  return {
    setLook(next) {
      plan = undefined;
      const before = look;
      const mayNeedThemes = given.theme !== undefined && next.theme === undefined;
      given = next;
      takeLook();
      drawChips();
      if (look.parameters !== before.parameters) loading = load();
      else if (contents && (mayNeedThemes || screenNow() !== shownScreen))
        loading = build().catch(fail);
      else {
        const isAsked =
          look.localeId !== before.localeId ||
          look.timezoneId !== before.timezoneId ||
          look.filters !== before.filters;
        for (const [id, open] of items)
          if (isAsked) void askItem(id);
          else open.draw();
      }
    },
    setFilter(source, where, label = "") {
      if (!where || where.length === 0) return select(source, undefined);
      const datasetIds = new Set(
        [...items.values()].flatMap(({ item }) =>
          item.fields.flatMap(({ datasetId }) => datasetId ?? []),
        ),
      );
      const named = [...datasetIds].filter((id) => where.every((filter) => concerns(filter, [id])));
      select(source, { where, datasetIds: new Set(named), label: label || source });
    },
    async refresh() {
      await loading;
      cubes.clear();
      plan = undefined;
      await Promise.all([...items.keys()].map(askItem));
    },
    async getData(id) {
      await loading;
      const open = items.get(id);
      if (!open) throw new HostError(`there is no item ${id}`, 404);
      await open.loaded();
      const data = open.data();
      if (!data) throw new HostError(`the item ${id} has no data`, 0);
      return data;
    },
    async export(type, ofItem = itemId) {
      const file = await ask.file(
        "export",
        {
          action: "create",
          properties: {
            type,
            securable_id: dashboardId,
            ...(ofItem !== undefined && { item_id: ofItem }),
            ...(given.theme !== undefined && { theme: given.theme }),
            timezone_id: zone(),
            locale_id: look.localeId,
          },
        },
        { signal: closing.signal },
      );
      emit("export", { type, file, ...(ofItem !== undefined && { itemId: ofItem }) });
      return file;
    },
    close() {
      closing.abort();
      clearTimeout(brushTimer);
      observer.disconnect();
      removeEventListener("online", retryFailed);
      closeItems();
      root.remove();
    },
  };
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function browserLocale(): string {
  return knownLocale(navigator.language) ?? "en";
}

function browserZone(): string {
  return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? "UTC";
}

/** From top to bottom, as keyboards and screen readers go through them. */
function inReadingOrder(placed: readonly PlacedItem[]): readonly PlacedItem[] {
  return placed.toSorted(
    (one, other) => one.position.row - other.position.row || one.position.col - other.position.col,
  );
}

/** Returns whether contents say the type of every column, so that its question needs no columns. */
function isSelfContained(placed: readonly PlacedItem[], id: string): boolean {
  const found = placed.find(({ item }) => item.id === id);
  return found !== undefined && found.item.fields.every(({ label }) => label !== undefined);
}

/** The finest level by which an item groups datetimes. */
function levelOf({ fields }: ChartItem): number {
  return fields.find(({ type, level }) => type === "datetime" && level !== undefined)?.level ?? 0;
}

/** Returns whether a filter names a column of one of the datasets. Groups do where one of their members does. */
function concerns(filter: object, datasetIds: readonly string[]): boolean {
  return datasetIds.some((id) => JSON.stringify(filter).includes(JSON.stringify(id)));
}

function zoneOf(contents: Json | undefined): string | undefined {
  const zone = contents && fixedZoneOf(contents);
  if (zone === undefined) return undefined;
  try {
    wallClock(0, zone);
    return zone;
  } catch {
    // Contents are stored as they come: a zone that does not exist fixes nothing.
    return undefined;
  }
}
