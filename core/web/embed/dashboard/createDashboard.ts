import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  createColors,
  fixedZoneOf,
  kindOfItem,
  objectOf,
  queryOf,
  readView,
  screenOfWidth,
  type ChartItem,
  type Colors,
  type DashboardView,
  type ItemFilters,
  type PlacedItem,
  type Screen,
} from "../../charts/index.ts";
import { createFilterControl, optionsQueryOf } from "../controls/index.ts";
import { HostError } from "../host/index.ts";
import { adoptStyles, applyTheme, element } from "../view/index.ts";
import { createCell, inReadingOrder } from "./createCell.ts";
import { createChoices } from "./createChoices.ts";
import { createLook } from "./createLook.ts";
import { createRecords } from "./createRecords.ts";
import type { Dashboard, DashboardOptions } from "./dashboard.ts";
import { dashboardStyles } from "./dashboardStyles.ts";
import { drawProblem } from "./drawProblem.ts";
import { failureEvent } from "./failureEvent.ts";
import { concerns, datasetsOf, itemFilters } from "./itemFilters.ts";
import { knownZone } from "./knownLocale.ts";
import { openItem, type OpenItem } from "./openItem.ts";
import { withParameters } from "./withParameters.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Shows a dashboard in an element: its items in a grid, its filters and its selections. The element must already be in
 * a shadow root. All data is fetched with the token of the page, and the host restricts it to the rights of this token.
 */
export function createDashboard(
  container: HTMLElement | ShadowRoot,
  { callHost, ownKey, hostUrl, dashboardId, itemId, look: firstLook, emit }: DashboardOptions,
): Dashboard {
  const closing = new AbortController();
  const records = createRecords(callHost, closing.signal);
  const look = createLook(records, ownKey, firstLook);
  /** Items as stored, completed with their columns, at their original levels. */
  const stored = new Map<string, ChartItem>();
  const items = new Map<string, OpenItem>();
  const choices = createChoices({
    items,
    stored,
    callHost,
    signal: closing.signal,
    readerRegion,
    filtersFor,
    loadItem: (id) => void loadItem(id),
    emit,
  });
  const cells = element("div", { class: "mf-cells", part: "grid" });
  const root = element("div", { class: "mf-dashboard", part: "dashboard" }, choices.root, cells);
  root.classList.toggle("mf-single", itemId !== undefined);
  container.append(root);
  adoptStyles(container, dashboardStyles());
  applyTheme(root, look.now().theme);

  let colors: Colors = createColors(look.now().theme);
  let contents: Json | undefined;
  let css: unknown;
  let view: DashboardView | undefined;
  let shownScreen: Screen | undefined;
  let loading: Promise<void> = load();

  function readerRegion() {
    const { localeId, timezoneId } = look.now();
    return { localeId, timezoneId: knownZone(contents && fixedZoneOf(contents)) ?? timezoneId };
  }

  function takeLook(): void {
    look.takeOwn({ view, css });
    if (!look.resolve()) return;
    applyTheme(root, look.now().theme);
    colors = createColors(look.now().theme);
  }

  const screenNow = () => look.now().screen ?? screenOfWidth(root.clientWidth || 1_024);

  async function load(): Promise<void> {
    try {
      const reading = records.findOne("securable", dashboardId, [
        "type",
        "name",
        "contents",
        "css",
      ]);
      // Only calls are retried while `getToken` fails. Once a call has succeeded, there is a token.
      const readingToken = look.readToken().catch(() => reading.then(look.readToken));
      const [record = {}] = await Promise.all([reading, readingToken]);
      const { type, contents: found } = record;
      if (type !== "dashboard" || typeof found !== "object" || found === null)
        throw new HostError(
          `dashboard ${dashboardId} does not exist, or this token has no access to it`,
          404,
        );
      css = record["css"];
      contents = withParameters(objectOf(found), look.now().parameters);
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
    await look.readThemes();
    if (closing.signal.aborted) return;
    closeItems();
    takeLook();
    choices.clearLevels();
    stored.clear();
    colors = createColors(look.now().theme);
    const isStacked =
      itemId === undefined && shownScreen === "mobile" && view.stored.screenModus !== "mobile";
    root.classList.toggle("mf-stacked", isStacked);
    for (const each of inReadingOrder(placed))
      open(each.item, createCell(each, { isSingle: itemId !== undefined, isStacked }));
    emit("ready", { dashboardId, itemIds: placed.map(({ item }) => item.id) });
    const ids = columnIdsOf(placed);
    const columns =
      ids.length === 0 ? [] : records.find("column", { id: { in: ids } }, columnAttributes);
    // Items are queried at once if the contents contain everything that their query needs.
    for (const [id, each] of items) if (isSelfContained(placed, id)) each.prepare(filtersFor(id));
    const complete = completeItems(placed, await columns, look.now().currencyId);
    await Promise.all(
      complete.map(async ({ item }) => {
        stored.set(item.id, item);
        items.get(item.id)?.setItem(item);
        await loadItem(item.id);
      }),
    );
  }

  function open(item: ChartItem, cell: HTMLElement): void {
    const { id } = item;
    cells.append(cell);
    const control =
      kindOfItem(item.type)?.kind === "filter"
        ? createFilterControl(cell, (clause) => choices.select(id, clause))
        : undefined;
    items.set(
      id,
      openItem({
        item,
        container: cell,
        control,
        callHost,
        hostUrl,
        look: () => ({ theme: look.now().theme, colors, ...readerRegion() }),
        onChoose: (choice) => choices.choose(id, choice),
        onDrill: (mark) => choices.drill(id, mark),
        onHover: () => choices.prepareBrush(id),
        onBrush: (rows, isDone) => choices.brush(id, rows, isDone),
        onLoad: (rowCount) => emit("load", { itemId: id, rowCount }),
        onFailure: (failure) => fail(failure, id),
        onRetry: () => void loadItem(id),
      }),
    );
    // The cell shows a loading state. The script of the item's kind loads while the columns and rows load.
    items.get(id)?.draw();
  }

  function filtersFor(id: string, without?: string): ItemFilters {
    const item = items.get(id)?.item;
    if (!item || !contents || !view) return { where: [], having: [] };
    const ofPage = look.now().filters ?? [];
    return itemFilters(item, { contents, view, ofPage, chosen: choices.whereFor(item, without) });
  }

  async function loadItem(id: string): Promise<void> {
    const item = items.get(id);
    if (!item) return;
    const filters = filtersFor(id);
    const query = item.control
      ? optionsQueryOf(item.item, filters.where)
      : queryOf(item.item, { where: filters.where, ...readerRegion() })?.query;
    await item.load(query, filters);
  }

  function fail(failure: unknown, ofItem?: string): void {
    emit("error", failureEvent(failure, ofItem));
  }

  function closeItems(): void {
    for (const each of items.values()) each.close();
    items.clear();
    cells.replaceChildren();
  }

  const observer = new ResizeObserver(() => {
    const isShown = contents !== undefined && shownScreen !== undefined;
    if (isShown && itemId === undefined && screenNow() !== shownScreen)
      loading = build().catch(fail);
  });
  observer.observe(root);
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
      choices.draw();
      const now = look.now();
      if (now.parameters !== before.parameters) loading = load();
      else if (contents && (mayNeedThemes || screenNow() !== shownScreen))
        loading = build().catch(fail);
      else {
        const needsData =
          now.localeId !== before.localeId ||
          now.timezoneId !== before.timezoneId ||
          now.filters !== before.filters;
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
    async export(type, ofItem = itemId) {
      const { theme } = look.given();
      const { localeId, timezoneId } = readerRegion();
      const file = await callHost.file(
        "export",
        {
          action: "create",
          properties: {
            type,
            securable_id: dashboardId,
            ...(ofItem !== undefined && { item_id: ofItem }),
            ...(theme !== undefined && { theme }),
            timezone_id: timezoneId,
            locale_id: localeId,
          },
        },
        { signal: closing.signal },
      );
      emit("export", { type, file, ...(ofItem !== undefined && { itemId: ofItem }) });
      return file;
    },
    close() {
      closing.abort();
      choices.close();
      observer.disconnect();
      removeEventListener("online", retryFailed);
      closeItems();
      root.remove();
    },
  };
}

/**
 * Returns whether the contents include the labels of all columns of an item, so that its query needs no column records.
 */
function isSelfContained(placed: readonly PlacedItem[], id: string): boolean {
  const found = placed.find(({ item }) => item.id === id);
  return found !== undefined && found.item.fields.every(({ label }) => label !== undefined);
}
