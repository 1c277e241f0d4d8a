import {
  fetchTotals,
  queryOf,
  type ChartCell,
  type ChartItem,
  type ChartTheme,
  type Colors,
  type ItemFilters,
  type Mark,
} from "../../charts/index.ts";
import type { FilterControl } from "../controls/index.ts";
import { createCustomView, customType } from "../custom/index.ts";
import { HostError, type CallHost } from "../host/index.ts";
import { dimensionsOf, keyOf } from "../selections/index.ts";
import { createItemView, type Choice, type ItemState, type ItemView } from "../view/index.ts";
import type { ItemData } from "./dashboardEvents.ts";
import { messageOf } from "./messageOf.ts";

export interface OpenItemOptions {
  readonly item: ChartItem;
  readonly container: HTMLElement;
  readonly control: FilterControl | undefined;
  readonly callHost: CallHost;
  readonly hostUrl: string | undefined;
  look(): {
    readonly theme: ChartTheme;
    readonly colors: Colors;
    readonly localeId: string;
    readonly timezoneId: string;
  };
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
  /** Runs a query and shows its answer. Cancels the previous query. Without a query, shows an empty answer. */
  load(query: object | undefined, filters: ItemFilters): Promise<void>;
  /** Shows rows that the page computed itself. */
  showLocal(rows: readonly (readonly ChartCell[])[]): void;
  choose(choice: Choice | undefined): void;
  chooseRows(rows: readonly number[]): void;
  /** Clears every choice that the reader made in this item. */
  clear(): void;
  chosen(): ReadonlySet<number>;
  data(): ItemData | undefined;
  loaded(): Promise<void>;
  hasFailed(): boolean;
  draw(): void;
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
    | { readonly query: string; readonly answer: Promise<readonly (readonly ChartCell[])[]> }
    | undefined;
  let last: Promise<void> = Promise.resolve();
  const view: ItemView | undefined = control ? undefined : openView();

  function openView(): ItemView {
    const { hostUrl } = options;
    const isCustom = item.type === customType && hostUrl !== undefined;
    return isCustom
      ? createCustomView(container, { ...options, hostUrl })
      : createItemView(container, options);
  }

  async function answer(
    query: object,
    signal: AbortSignal,
  ): Promise<readonly (readonly ChartCell[])[]> {
    const { data } = await callHost("data", { action: "get", find: query }, { signal });
    return Array.isArray(data) ? data : [];
  }

  function draw(): void {
    const { theme, colors, localeId, timezoneId } = look();
    if (control)
      return control.show({
        item,
        theme,
        localeId,
        timezoneId,
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

  async function load(query: object | undefined, filters: ItemFilters): Promise<void> {
    const { having } = filters;
    const filtered = query && having.length > 0 ? { ...query, having } : query;
    const text = JSON.stringify(filtered);
    const isPrepared = prepared !== undefined && prepared.query === text;
    if (!isPrepared) running?.abort();
    const mine = isPrepared && running ? running : new AbortController();
    running = mine;
    const early = prepared;
    prepared = undefined;
    if (!filtered) {
      state = { kind: "answer", fields: queryOf(item)?.fields ?? [], rows: [] };
      return draw();
    }
    state = { kind: "loading" };
    draw();
    const { localeId, timezoneId } = look();
    try {
      const [rows, totals] = await Promise.all([
        isPrepared && early ? early.answer : answer(filtered, mine.signal),
        fetchTotals(item, { ...filters, localeId, timezoneId }, (each) =>
          answer(each, mine.signal),
        ),
      ]);
      if (mine.signal.aborted) return;
      chosen = findChosen(rows);
      state = {
        kind: "answer",
        fields: queryOf(item)?.fields ?? [],
        rows,
        ...totals,
      };
      draw();
      onLoad(rows.length);
    } catch (failure) {
      if (mine.signal.aborted) return;
      const message = messageOf(failure, localeId);
      const requestId = failure instanceof HostError ? failure.requestId : undefined;
      state = { kind: "failed", message, ...(requestId !== undefined && { requestId }) };
      draw();
      onFailure(failure);
    }
  }

  return {
    get item() {
      return item;
    },
    control,
    setItem(next) {
      item = next;
    },
    prepare({ where, having }) {
      const { timezoneId, localeId } = look();
      const own = control ? undefined : queryOf(item, { where, timezoneId, localeId });
      if (!own) return;
      const query = having.length > 0 ? { ...own.query, having } : own.query;
      running = new AbortController();
      prepared = { query: JSON.stringify(query), answer: answer(query, running.signal) };
      // The `load` that uses the answer reports the failure.
      prepared.answer.catch(() => undefined);
      draw();
    },
    load(query, filters) {
      last = load(query, filters);
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
      control?.clear();
      draw();
    },
    chosen: () => chosen,
    data() {
      if (state.kind !== "answer") return undefined;
      const { kind: _, ...data } = state;
      return data;
    },
    loaded: () => last,
    hasFailed: () => state.kind === "failed" || view?.hasFailed() === true,
    draw,
    close() {
      running?.abort();
      view?.close();
      control?.close();
    },
  };
}
