import {
  comparedItem,
  fetchItem,
  firstCallOf,
  isRanking,
  itemKinds,
  kindOfItem,
  queryOf,
  retryImport,
  usesValueColors,
  type ChartCell,
  type ChartItem,
  type FetchOptions,
  type ItemAnswer,
  type ChartTheme,
  type Colors,
  type ItemFilters,
  type Mark,
  type ControlValue,
} from "../../charts/index.ts";
import type { FilterControl } from "../controls/index.ts";
import { customType, loadCustomCover } from "../custom/index.ts";
import { HostError, type CallHost } from "../host/index.ts";
import { loadMediaCover } from "../media/index.ts";
import { createSend } from "./createSend.ts";
import { dimensionsOf, keyOf } from "../selections/index.ts";
import {
  createCoveredView,
  createItemView,
  hostSorting,
  type Choice,
  type ItemState,
  type ItemView,
  type Sorting,
  type ViewChanges,
  viewWordsOf,
} from "../view/index.ts";
import type { ItemData } from "./dashboardEvents.ts";
import { messageOf } from "./messageOf.ts";

const loadExplanation = retryImport(() => import("./explainRows.ts"));

export interface OpenItemOptions {
  readonly item: ChartItem;
  readonly container: HTMLElement;
  readonly control: FilterControl | undefined;
  /** Returns what the reader chose in the control. */
  value(): ControlValue | undefined;
  /** The bar for the buttons of the item's view. */
  readonly tools: HTMLElement;
  readonly callHost: CallHost;
  readonly hostUrl: string | undefined;
  look(): {
    readonly theme: ChartTheme;
    readonly colors: Colors;
    readonly localeId: string;
    readonly timezoneId: string;
  };
  /** Resolves once the values of coloured columns have been listed. Does not reject. */
  colorsListed(): Promise<void>;
  onChoose(choice: Choice | undefined): void;
  onDrill(mark: Mark | undefined): void;
  onHover(): void;
  onBrush(rows: readonly number[], isDone: boolean): void;
  onLoad(rowCount: number): void;
  onFailure(failure: unknown): void;
  onRetry(): void;
}

/** An item of an open dashboard: its query, its answer and its view. */
export interface OpenItem {
  readonly item: ChartItem;
  readonly control: FilterControl | undefined;
  setItem(item: ChartItem): void;
  /** Starts the query that `load` will need, while columns are still loading. */
  prepare(filters: ItemFilters): void;
  /**
   * Fetches the item and shows its answer; for a control, the answer to the query for its values. Cancels the previous
   * fetch. Without anything to fetch, shows an empty answer.
   */
  load(filters: ItemFilters, ofControl?: object): Promise<void>;
  /** Shows rows that the page computed itself. */
  showLocal(rows: readonly (readonly ChartCell[])[]): void;
  choose(choice: Choice | undefined): void;
  chooseRows(rows: readonly number[]): void;
  /** Clears every choice that the reader made in the item's picture. */
  clear(): void;
  /** Chooses the groups with the given keys, in the rows that the item shows now or later. */
  chooseKeys(keys: Iterable<string>): void;
  chosen(): ReadonlySet<number>;
  /** Keys of the chosen groups. */
  chosenKeys(): ReadonlySet<string>;
  data(): ItemData | undefined;
  loaded(): Promise<void>;
  hasFailed(): boolean;
  draw(): void;
  /** Draws the item for paper, or for the screen again. */
  print(isOnPaper: boolean): void;
  /** Returns what the reader changed in the view of the item. */
  changes(): ViewChanges;
  close(): void;
}

/** Opens an item in an element. */
export function openItem(options: OpenItemOptions): OpenItem {
  const { container, control, callHost, look, onLoad, onFailure } = options;
  let { item } = options;
  let state: ItemState = { kind: "loading" };
  let chosen: ReadonlySet<number> = new Set();
  /** Keys of the groups of the chosen rows. These groups stay chosen when the rows change. */
  let chosenKeys: ReadonlySet<string> = new Set();
  let running: AbortController | undefined;
  let prepared:
    | { readonly queries: string; readonly answer: Promise<ItemAnswer | undefined> }
    | undefined;
  /** The order that the reader chose in a table. */
  let sorting: Sorting | undefined;
  let loadedFilters: ItemFilters | undefined;
  let last: Promise<void> = Promise.resolve();
  let where: readonly unknown[] = [];
  const view: ItemView | undefined = control ? undefined : openView();

  function openView(): ItemView {
    const { hostUrl } = options;
    const given = { ...options, onSort: sortBy };
    const kind = kindOfItem(item.type)?.kind;
    if (item.type === customType && hostUrl !== undefined) {
      const load = () => loadCustomCover({ callHost, hostUrl });
      return createCoveredView(container, { ...given, load, isPictureFirst: true });
    }
    return kind !== undefined && itemKinds[kind].family === "media"
      ? createCoveredView(container, { ...given, load: loadMediaCover, isPictureFirst: false })
      : createItemView(container, given);
  }

  /** Fetches a table in another order if the page does not have all rows. */
  function sortBy(next: Sorting | undefined): void {
    sorting = next;
    const isCut = state.kind === "answer" && state.leftOut !== undefined && !isRanking(item);
    if (isCut && loadedFilters) last = load(loadedFilters);
  }

  function optionsOf({ where: rows, having }: ItemFilters): FetchOptions {
    const { localeId, timezoneId } = look();
    return {
      where: rows,
      having,
      localeId,
      timezoneId,
      ...(sorting && { sorting: hostSorting(sorting) }),
    };
  }

  /** The queries of the first call, as a string that is equal for equal calls. */
  const queriesOf = (filters: ItemFilters) =>
    JSON.stringify(firstCallOf(comparedWith(filters), optionsOf(filters))?.queries);

  /** Returns the item with the comparisons that the reader chose. */
  const comparedWith = ({ compare = [] }: ItemFilters) => comparedItem(item, compare);

  const fetchWith = (filters: ItemFilters, { signal }: AbortController) =>
    fetchItem(comparedWith(filters), optionsOf(filters), createSend(callHost, signal));

  async function answerControl(query: object, signal: AbortSignal): Promise<ItemAnswer> {
    const [answered] = await createSend(callHost, signal)([{ ...query }]);
    return { fields: queryOf(item)?.fields ?? [], rows: answered?.rows ?? [] };
  }

  function draw(): void {
    const { theme, colors, localeId, timezoneId } = look();
    if (control)
      return control.show({
        item,
        theme,
        localeId,
        timezoneId,
        value: options.value(),
        where,
        query: async (find, signal) => (await answerControl(find, signal)).rows,
        ...(state.kind === "answer" && { rows: state.rows }),
        ...(state.kind === "failed" && { failure: state.message }),
      });
    view?.show({ item, state, theme, colors, localeId, timezoneId, chosenRows: chosen });
  }

  function keep(rows: Iterable<number>): void {
    chosen = new Set(rows);
    const all = state.kind === "answer" ? state.rows : [];
    const count = dimensionsOf(item, queryOf(item)?.fields ?? []).length;
    chosenKeys = new Set([...chosen].map((row) => keyOf((all[row] ?? []).slice(0, count))));
  }

  function findChosen(rows: readonly (readonly ChartCell[])[]): ReadonlySet<number> {
    if (chosenKeys.size === 0) return new Set();
    const count = dimensionsOf(item, queryOf(item)?.fields ?? []).length;
    return new Set(
      rows.flatMap((row, index) => (chosenKeys.has(keyOf(row.slice(0, count))) ? [index] : [])),
    );
  }

  async function load(filters: ItemFilters, ofControl?: object): Promise<void> {
    loadedFilters = filters;
    ({ where } = filters);
    const isPrepared = !control && prepared?.queries === queriesOf(filters);
    if (!isPrepared) running?.abort();
    const mine = isPrepared && running ? running : new AbortController();
    running = mine;
    const early = prepared;
    prepared = undefined;
    const isEmpty = control ? ofControl === undefined : queryOf(item) === undefined;
    if (isEmpty) {
      state = { kind: "answer", fields: queryOf(item)?.fields ?? [], rows: [] };
      return draw();
    }
    state = { kind: "loading" };
    draw();
    try {
      const answered = ofControl
        ? await answerControl(ofControl, mine.signal)
        : await (isPrepared && early ? early.answer : fetchWith(filters, mine));
      if (usesValueColors(item)) await options.colorsListed();
      if (mine.signal.aborted) return;
      const rows = answered?.rows ?? [];
      chosen = findChosen(rows);
      state = { kind: "answer", ...answered, rows, fields: queryOf(item)?.fields ?? [] };
      draw();
      onLoad(rows.length);
      if (rows.length === 0 && !control) await sayWhyEmpty(filters, mine.signal);
    } catch (failure) {
      if (mine.signal.aborted) return;
      const { localeId } = look();
      // The host names the data by their ids, which mean nothing to readers.
      const isAbsent = failure instanceof HostError && failure.status === 404;
      const message = isAbsent ? viewWordsOf(localeId).noAccess : messageOf(failure, localeId);
      const requestId = failure instanceof HostError ? failure.requestId : undefined;
      state = { kind: "failed", message, ...(requestId !== undefined && { requestId }) };
      draw();
      onFailure(failure);
    }
  }

  /** Adds to an answer without rows why there are none. Without an explanation, it stays as it is. */
  async function sayWhyEmpty(filters: ItemFilters, signal: AbortSignal): Promise<void> {
    const { localeId, timezoneId } = look();
    const empty = { item, isEmpty: true, filters, callHost, signal, localeId, timezoneId };
    const why = await loadExplanation()
      .then(({ explainRows }) => explainRows(empty))
      .catch(() => []);
    if (signal.aborted || why.length === 0 || state.kind !== "answer") return;
    state = { ...state, warnings: [...(state.warnings ?? []), ...why] };
    draw();
  }

  return {
    get item() {
      return item;
    },
    control,
    setItem(next) {
      item = next;
    },
    prepare(filters) {
      if (control || queryOf(item) === undefined) return;
      running = new AbortController();
      prepared = { queries: queriesOf(filters), answer: fetchWith(filters, running) };
      // The `load` that uses the answer reports the failure.
      prepared.answer.catch(() => undefined);
      draw();
    },
    load(filters, ofControl) {
      last = load(filters, ofControl);
      return last;
    },
    showLocal(rows) {
      running?.abort();
      if (state.kind === "answer" || state.kind === "loading") {
        chosen = findChosen(rows);
        state = { kind: "answer", fields: queryOf(item)?.fields ?? [], rows };
        draw();
      }
    },
    choose(choice) {
      const row = choice?.mark.row;
      const isOnly = row !== undefined && chosen.has(row) && chosen.size === 1;
      if (row === undefined || (isOnly && !choice?.isAdded)) keep([]);
      else if (!choice?.isAdded) keep([row]);
      else keep(chosen.has(row) ? [...chosen].filter((each) => each !== row) : [...chosen, row]);
      draw();
    },
    chooseRows(rows) {
      keep(rows);
      draw();
    },
    clear() {
      keep([]);
      draw();
    },
    chooseKeys(keys) {
      chosenKeys = new Set(keys);
      chosen = findChosen(state.kind === "answer" ? state.rows : []);
    },
    chosen: () => chosen,
    chosenKeys: () => chosenKeys,
    data() {
      if (state.kind !== "answer") return undefined;
      const { kind: _, ...data } = state;
      return data;
    },
    loaded: () => last,
    hasFailed: () => state.kind === "failed" || view?.hasFailed() === true,
    draw,
    print: (isOnPaper) => view?.print(isOnPaper),
    changes: () => view?.changes() ?? { sorting: undefined, hiddenSeries: [] },
    close() {
      running?.abort();
      view?.close();
      control?.close();
    },
  };
}
