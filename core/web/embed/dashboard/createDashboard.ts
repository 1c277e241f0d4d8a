import {
  listOf,
  completeItems,
  createColors,
  screenOfWidth,
  wordsOf,
  columnAttributes,
  fetchValues,
  fillIn,
  fixedZoneOf,
  directionOf,
  interactivity,
  columnIdsOf,
  isSetBy,
  withParameters,
  readView,
  retryImport,
  readState,
  kindOfItem,
  objectOf,
  readColumns,
  titleOf,
  type Colors,
  type ChartItem,
  type ItemFilters,
  type ReadState,
  type ValuesByColumn,
  type DashboardState,
  type PlacedItem,
  type DashboardView,
  type Screen,
  type GivenState,
  type ControlValue,
} from "../../charts/index.ts";
import { loadControls, type Controls } from "../controls/index.ts";
import { HostError } from "../host/index.ts";
import { loadMarkMenu, type CustomEventDetail } from "../menu/index.ts";
import {
  adoptStyles,
  applyTheme,
  element,
  loadLanguage,
  viewWordsOf,
  type Choice,
} from "../view/index.ts";
import { createCell, inReadingOrder } from "./createCell.ts";
import { createChoices } from "./createChoices.ts";
import { createFiles } from "./createFiles.ts";
import { createLook } from "./createLook.ts";
import { createSend } from "./createSend.ts";
import { createRecords } from "./createRecords.ts";
import { createTools, type Tools } from "./createTools.ts";
import type { Dashboard, DashboardOptions } from "./dashboard.ts";
import { dashboardStyles } from "./dashboardStyles.ts";
import { drawProblem } from "./drawProblem.ts";
import { failureEvent } from "./failureEvent.ts";
import { addedFilters, concerns, datasetsOf, itemFilters } from "./itemFilters.ts";
import { knownZone } from "./knownLocale.ts";
import { openItem, type OpenItem } from "./openItem.ts";
import { openPickers, type Pickers } from "./openPickers.ts";
import { printDashboard } from "./printDashboard.ts";

type Json = Readonly<Record<string, unknown>>;

const loadExtra = retryImport(() => import("./fetchExtra.ts"));

/**
 * Shows a dashboard in an element: its items in a grid, its filters and its selections. The element must already be in
 * a shadow root. All data is fetched with the token of the page, and the host restricts it to the rights of this token.
 */
export function createDashboard(
  container: HTMLElement | ShadowRoot,
  options: DashboardOptions,
): Dashboard {
  const { callHost, ownKey, hostUrl, dashboardId, itemId, look: firstLook, emit } = options;
  const closing = new AbortController();
  const records = createRecords(callHost, closing.signal);
  const look = createLook({ records, ownKey, email: options.email, first: firstLook });
  /** Items as stored, completed with their columns, at their original levels. */
  const stored = new Map<string, ChartItem>();
  const items = new Map<string, OpenItem>();
  let controls: Controls | undefined;
  let hasControls = false;
  /** What filter items filter by when the dashboard opens, by item id. */
  let defaults: ReadonlyMap<string, ControlValue> = new Map();
  let replaced: ReadonlySet<string> = new Set();
  /** The state to apply when the items are ready: of the page, or of the items of another screen. */
  let wanted = readState(options.state);
  /** Whether the items have their choices. */
  let isRestored = false;
  let stateParameters: Json | undefined = wanted.state?.parameters;
  const choices = createChoices({
    items,
    stored,
    callHost,
    signal: closing.signal,
    readerRegion,
    filtersFor,
    loadItem: (id) => void loadItem(id),
    controls: () => controls,
    titleOf: nameOf,
    onChange: () => emit("statechange", { state: stateNow() }),
    onFailure: fail,
    emit,
  });
  const files = createFiles({
    callHost,
    signal: closing.signal,
    dashboardId,
    isStored: options.contents === undefined,
    items,
    look,
    readerRegion,
    filtersFor,
    addedFilters: addedTo,
    replaced: () => replaced,
    parameters,
    state: stateNow,
    levelFor: choices.levelFor,
    picksFor: choices.picksFor,
    shown: () => ({ name, view }),
    emit,
    onFailure: fail,
  });
  /** The buttons of the items by id, and those of the dashboard. */
  const tools = new Map<string | undefined, Tools>();
  /** The pickers of items, by id. */
  const pickers = new Map<string, Pickers>();
  const cells = element("div", { class: "mf-cells", part: "grid" });
  const root = element("div", { class: "mf-dashboard", part: "dashboard" }, choices.root, cells);
  root.classList.toggle("mf-single", itemId !== undefined);
  container.append(root);
  adoptStyles(container, dashboardStyles());
  if (itemId === undefined) {
    const bar = createTools("tools", { ...files.menuFor(undefined), className: "mf-bar" });
    tools.set(undefined, bar);
    root.prepend(bar.root);
  }
  applyTheme(root, look.now().theme);
  root.dir = directionOf(look.now().localeId);

  /** The most common values of coloured columns; undefined until the host has listed them. */
  let values: ValuesByColumn | undefined;
  let listing: Promise<void> = Promise.resolve();
  let colors: Colors = createColors(look.now().theme);
  let contents: Json | undefined;
  let css: unknown;
  let name: unknown;
  let view: DashboardView | undefined;
  let shownScreen: Screen | undefined;
  let loading: Promise<void> = load();

  function readerRegion() {
    const { localeId, timezoneId } = look.now();
    return { localeId, timezoneId: knownZone(contents && fixedZoneOf(contents)) ?? timezoneId };
  }

  function parameters(): Json | undefined {
    const ofPage = look.now().parameters;
    return stateParameters ? { ...ofPage, ...stateParameters } : ofPage;
  }

  function stateNow(): DashboardState {
    return { ...choices.state(), ...(stateParameters && { parameters: stateParameters }) };
  }

  /** Returns the title of an item; "" for a source that is not an item. */
  function nameOf(id: string): string {
    const item = items.get(id)?.item;
    if (!item) return "";
    const region = readerRegion();
    const columns = readColumns({ fields: item.fields, ...region });
    const { display: _, ...options } = item.options;
    return titleOf({ ...item, options }, columns, region.localeId);
  }

  function takeLook(): void {
    look.takeOwn({ view, css });
    const hasNewTheme = look.resolve();
    root.dir = directionOf(look.now().localeId);
    if (!hasNewTheme) return;
    applyTheme(root, look.now().theme);
    colors = createColors(look.now().theme, values);
  }

  /** Lists the values of coloured columns. If the host cannot, each picture takes the values of its own answer. */
  async function listValues(placed: readonly PlacedItem[]): Promise<void> {
    const send = createSend(callHost, closing.signal);
    try {
      values = await fetchValues(
        placed.map(({ item }) => item),
        send,
      );
      colors = createColors(look.now().theme, values);
    } catch {
      // The items' own calls report what is wrong with the host.
    }
  }

  /** Loads the words of the reader's language. If that fails, they are English, and each item can try again. */
  function readLanguage(): Promise<void> {
    return loadLanguage(look.now().localeId).catch(fail);
  }

  const screenNow = () => look.now().screen ?? screenOfWidth(root.clientWidth || 1_024);

  /** Reads the dashboard; with contents of the page, only the token. */
  async function read(): Promise<Json> {
    if (options.contents) {
      await look.readToken();
      return options.contents;
    }
    const reading = records.findOne("securable", dashboardId, ["type", "name", "contents", "css"]);
    // Only calls are retried while `getToken` fails. Once a call has succeeded, there is a token.
    const readingToken = look.readToken().catch(() => reading.then(look.readToken));
    const [record = {}] = await Promise.all([reading, readingToken]);
    const { type, contents: found } = record;
    if (type !== "dashboard" || typeof found !== "object" || found === null)
      throw new HostError(
        `dashboard ${dashboardId} does not exist, or this token has no access to it`,
        404,
      );
    ({ css, name } = record);
    return objectOf(found);
  }

  /**
   * Reads the default view of the dashboard. A view that cannot be read is ignored and named, because the dashboard is
   * more useful than nothing.
   */
  async function readDefaultView(): Promise<ReadState | undefined> {
    const isWanted = options.usesDefaultView === true && options.state === undefined;
    if (!isWanted || isRestored || options.contents) return undefined;
    try {
      const where = { securable_id: dashboardId, is_default: true };
      const [found] = await records.find("savedview", where, ["state"]);
      return found && readState(found["state"]);
    } catch (failure) {
      fail(failure);
      return { state: undefined, ignored: ["view"] };
    }
  }

  async function load(): Promise<void> {
    try {
      // The words load while the dashboard does, in the language that is known so far.
      const [found, , ofView] = await Promise.all([read(), readLanguage(), readDefaultView()]);
      if (ofView) wanted = ofView;
      stateParameters ??= wanted.state?.parameters;
      contents = withParameters(found, parameters());
      takeLook();
      await build();
    } catch (failure) {
      if (closing.signal.aborted) return;
      closeItems();
      drawProblem(cells, failure, look.now().localeId, () => {
        loading = load();
      });
      fail(failure);
    }
  }

  /** Lays out the items of a screen and fetches their data, in part while their columns are still loading. */
  async function build(): Promise<void> {
    if (!contents) return;
    shownScreen = screenNow();
    view = readView(contents, shownScreen);
    const placed =
      itemId === undefined ? view.items : view.items.filter(({ item }) => item.id === itemId);
    if (itemId !== undefined && placed.length === 0)
      throw new HostError(`the dashboard has no item with the id ${itemId}`, 404);
    look.takeOwn({ view, css });
    hasControls = placed.some(({ item }) => isControl(item));
    const [found] = await Promise.all([
      hasControls ? loadControls(look.now().localeId).catch(refuse) : controls,
      look.readThemes(),
      readLanguage(),
    ]);
    if (closing.signal.aborted) return;
    controls = found;
    const before = isRestored ? choices.state() : undefined;
    isRestored = false;
    closeItems();
    takeLook();
    readDefaults(placed);
    drawTools();
    stored.clear();
    colors = createColors(look.now().theme, values);
    listing = listValues(placed);
    const isStacked =
      itemId === undefined && shownScreen === "mobile" && view.stored.screenModus !== "mobile";
    root.classList.toggle("mf-stacked", isStacked);
    for (const each of inReadingOrder(placed))
      open(each.item, createCell(each, { isSingle: itemId !== undefined, isStacked }));
    emit("ready", { dashboardId, itemIds: placed.map(({ item }) => item.id) });
    const ids = columnIdsOf(placed);
    const columns =
      ids.length === 0 ? [] : records.find("column", { id: { in: ids } }, columnAttributes);
    const first = wanted.state ?? before ?? defaultState();
    // Items are queried at once if the contents contain everything that their query needs.
    if (Object.keys(first).length === 1)
      for (const [id, each] of items) if (isSelfContained(placed, id)) each.prepare(filtersFor(id));
    const complete = completeItems(placed, await columns, look.now().currencyId);
    if (closing.signal.aborted) return;
    for (const { item } of complete) {
      stored.set(item.id, item);
      items.get(item.id)?.setItem(item);
    }
    const { ignored, state } = wanted;
    wanted = readState(undefined);
    const isGiven = state !== undefined || ignored.length > 0;
    restore(first, { ignored, isGiven, keepsOthers: !isGiven });
    await Promise.all(
      complete.map(async ({ item }) => {
        tools.get(item.id)?.draw();
        pickers.get(item.id)?.draw();
        await loadItem(item.id);
      }),
    );
  }

  /** Reads the values that filter items have when the dashboard opens. */
  function readDefaults(placed: readonly PlacedItem[]): void {
    const { filterGroups, filters } = objectOf<"filterGroups" | "filters">(contents);
    const all = [filterGroups, filters, view?.stored.filterGroups].flatMap(listOf);
    const found = placed.flatMap(({ item }): (readonly [string, ControlValue])[] => {
      const own = all.filter((group) => isSetBy(group, item.id));
      const value =
        isControl(item) && own.length > 0 ? controls?.defaultValueOf(item, own) : undefined;
      return value ? [[item.id, value]] : [];
    });
    defaults = new Map(found);
    replaced = new Set(defaults.keys());
  }

  const defaultState = (): DashboardState => ({
    version: 1,
    ...(defaults.size > 0 && { filters: Object.fromEntries(defaults) }),
  });

  /** Applies a state to the items, and says which of its parts do not fit. */
  function restore(
    state: GivenState,
    given: {
      readonly ignored: readonly string[];
      readonly isGiven: boolean;
      readonly keepsOthers: boolean;
    },
  ): void {
    isRestored = true;
    const ignored = [...given.ignored, ...choices.restore(state, given.keepsOthers)];
    const names = ignored.map((path) => nameOf(path.slice(path.indexOf(".") + 1)) || path);
    const { localeId } = readerRegion();
    const said = fillIn(viewWordsOf(localeId).ignored, {
      names: [...new Set(names)].join(wordsOf(localeId).comma),
    });
    choices.say(ignored.length === 0 ? "" : said);
    if (given.isGiven) emit("statechange", { state: stateNow(), ignored });
  }

  /** Throws the failure of the script of controls in words of the reader. Without it, items would lack filters. */
  function refuse(cause: unknown): never {
    throw new HostError(viewWordsOf(look.now().localeId).noPicture, 0, { cause });
  }

  function open(item: ChartItem, cell: HTMLElement): void {
    const { id } = item;
    cells.append(cell);
    const slotName = itemId === undefined ? `tools-${id}` : "tools";
    const ofItem = createTools(slotName, { ...files.menuFor(id), className: "mf-tools" });
    tools.set(id, ofItem);
    if (item.pickers) {
      const ofSlots = openPickers({
        container: cell,
        item: () => stored.get(id),
        picks: () => choices.picksFor(id),
        region: readerRegion,
        onPick: (slot, key) => choices.pick(id, slot, key),
        onFailure: (failure) => fail(failure, id),
      });
      pickers.set(id, ofSlots);
    }
    const control = isControl(item)
      ? controls?.createFilterControl(cell, (value, nameOfValue) =>
          choices.setValue(id, value, nameOfValue),
        )
      : undefined;
    items.set(
      id,
      openItem({
        item,
        container: cell,
        control,
        value: () => choices.valueOf(id),
        tools: ofItem.root,
        callHost,
        hostUrl,
        look: () => ({ theme: look.now().theme, colors, ...readerRegion() }),
        onChoose: (choice) => chooseMark(id, cell, choice),
        onDrill: (mark) => choices.drill(id, mark),
        onHover: () => choices.prepareBrush(id),
        colorsListed: async () => listing,
        onBrush: (rows, isDone) => choices.brush(id, rows, isDone),
        onLoad: (rowCount) => emit("load", { itemId: id, rowCount }),
        onFailure: (failure) => fail(failure, id),
        onRetry: () => void loadItem(id),
      }),
    );
    cell.append(ofItem.root);
    ofItem.draw();
    // The cell shows a loading state. The script of the item's kind loads while the columns and rows load.
    items.get(id)?.draw();
  }

  /** Filters by a mark, or offers what the options of the item define for its marks. */
  function chooseMark(id: string, container: HTMLElement, choice: Choice | undefined): void {
    const ofItem = items.get(id);
    const region = readerRegion();
    const { events = [], markLink } = ofItem ? interactivity(ofItem.item, region.localeId) : {};
    if (!choice || choice.isAdded || !ofItem || (events.length === 0 && !markLink))
      return choices.choose(id, choice);
    const { mark, at } = choice;
    loadMarkMenu().then(
      ({ offerMark }) =>
        offerMark({
          item: ofItem.item,
          fields: ofItem.data()?.fields ?? [],
          rows: ofItem.data()?.rows ?? [],
          mark,
          container,
          at,
          ...region,
          choose: () => choices.choose(id, choice),
          emit: (detail) => void emitEvent(ofItem, mark.row, detail),
        }),
      (failure: unknown) => fail(failure, id),
    );
  }

  /** Emits an event of a mark, with the extra data that the options of the item name. */
  async function emitEvent(
    { item, data }: OpenItem,
    row: number | undefined,
    detail: CustomEventDetail,
  ): Promise<void> {
    const region = readerRegion();
    const answer = data();
    const hasExtra = interactivity(item, region.localeId).hasExtraData;
    if (!hasExtra || !answer || row === undefined) return emit("customevent", detail);
    try {
      const { fetchExtra } = await loadExtra();
      const send = createSend(callHost, closing.signal);
      const filters = filtersFor(item.id);
      const extraData = await fetchExtra({ item, ...answer, row, filters, ...region, send });
      emit("customevent", { ...detail, ...(extraData && { extraData }) });
    } catch (failure) {
      if (closing.signal.aborted) return;
      fail(failure, item.id);
      emit("customevent", detail);
    }
  }

  function filtersFor(id: string, without?: string): ItemFilters {
    const item = items.get(id)?.item;
    if (!item || !contents || !view) return { where: [], having: [] };
    return itemFilters(item, {
      contents,
      view,
      added: addedTo(item, without),
      replaced,
      compare: choices.compareFor(item),
    });
  }

  /** Returns the filters of an item that the contents do not have: those of the page and of the reader. */
  function addedTo(item: ChartItem, without?: string): readonly object[] {
    return addedFilters(item, look.now().filters ?? [], choices.whereFor(item, without));
  }

  function drawTools(): void {
    for (const each of [...tools.values(), ...pickers.values()]) each.draw();
  }

  async function loadItem(id: string): Promise<void> {
    const item = items.get(id);
    if (!item) return;
    const filters = filtersFor(id);
    const { where, having } = filters;
    const ofControl = item.control && controls?.optionsQueryOf(item.item, where);
    await item.load(filters, ofControl && { ...ofControl, ...(having.length > 0 && { having }) });
  }

  function fail(failure: unknown, ofItem?: string): void {
    if (!closing.signal.aborted) emit("error", failureEvent(failure, ofItem));
  }

  function closeItems(): void {
    for (const [id, each] of items) {
      each.close();
      tools.delete(id);
      pickers.delete(id);
    }
    items.clear();
    cells.replaceChildren();
  }

  const observer = new ResizeObserver(() => {
    const isShown = contents !== undefined && shownScreen !== undefined;
    if (isShown && itemId === undefined && screenNow() !== shownScreen)
      loading = build().catch(fail);
  });
  observer.observe(root);
  const stopPrinting = printDashboard(root, { items, isSingle: itemId !== undefined });
  // Items that failed while the browser was offline are queried again when it is back online.
  const retryFailed = () => {
    for (const [id, each] of items) if (each.hasFailed()) void loadItem(id);
  };
  addEventListener("online", retryFailed);

  return {
    setLook(next) {
      const before = look.now();
      const mayNeedThemes = look.given().theme !== undefined && next.theme === undefined;
      look.give(next);
      takeLook();
      const now = look.now();
      const isOtherRegion =
        now.localeId !== before.localeId || now.timezoneId !== before.timezoneId;
      const redraw = () => {
        choices.draw(isOtherRegion);
        drawTools();
      };
      if (now.localeId === before.localeId) redraw();
      else
        void Promise.all([
          readLanguage(),
          hasControls ? loadControls(now.localeId).catch(fail) : undefined,
        ]).then(redraw);
      if (now.parameters !== before.parameters) loading = load();
      else if (contents && (mayNeedThemes || screenNow() !== shownScreen))
        loading = build().catch(fail);
      else {
        const needsData = isOtherRegion || now.filters !== before.filters;
        for (const [id, each] of items)
          if (needsData) void loadItem(id);
          else each.draw();
      }
    },
    setFilter(source, where, label = "") {
      if (!where || where.length === 0) return choices.select(source, undefined);
      const all = [...items.values()].flatMap(({ item }) => datasetsOf(item));
      const datasetIds = new Set(
        all.filter((id) => where.every((filter) => concerns(filter, [id]))),
      );
      choices.select(source, { where, datasetIds, label: label || source });
    },
    state: stateNow,
    setState(state) {
      const next = readState(state);
      const before = JSON.stringify(parameters());
      stateParameters = next.state?.parameters;
      const isOther = JSON.stringify(parameters()) !== before;
      if (!isRestored || isOther) {
        wanted = isRestored ? { ...next, state: next.state ?? defaultState() } : next;
        if (isOther) loading = load();
        return;
      }
      const { ignored } = next;
      restore(next.state ?? defaultState(), { ignored, isGiven: true, keepsOthers: false });
      drawTools();
      for (const id of items.keys()) void loadItem(id);
    },
    async refresh() {
      await loading;
      choices.forgetRows();
      await Promise.all([...items.keys()].map(loadItem));
    },
    async getData(id) {
      await loading;
      const item = items.get(id);
      if (!item) throw new HostError(`the dashboard has no item with the id ${id}`, 404);
      await item.loaded();
      const data = item.data();
      if (!data) throw new HostError(`item ${id} has no data`, 0);
      return data;
    },
    export: (type, ofItem = itemId) => files.create(type, ofItem),
    close() {
      closing.abort();
      choices.close();
      observer.disconnect();
      stopPrinting();
      removeEventListener("online", retryFailed);
      closeItems();
      root.remove();
    },
  };
}

const isControl = ({ type }: ChartItem): boolean => kindOfItem(type)?.kind === "filter";

/**
 * Returns whether the contents include the labels of all columns of an item, so that its query needs no column records.
 */
function isSelfContained(placed: readonly PlacedItem[], id: string): boolean {
  const found = placed.find(({ item }) => item.id === id);
  return found !== undefined && found.item.fields.every(({ label }) => label !== undefined);
}
