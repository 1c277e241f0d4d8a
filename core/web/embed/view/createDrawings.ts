import {
  languageOf,
  loadedKind,
  loadKind,
  loadPivot,
  retryImport,
  type DrawKind,
  type ItemKind,
} from "../../charts/index.ts";
import type { ItemViewOptions } from "./itemViewOptions.ts";
import type { TitledGrid } from "./createTitledGrid.ts";
import type { ItemState } from "./itemPicture.ts";
import { hasLanguage, loadLanguage, viewWordsOf } from "./viewWordsOf.ts";

const loadPivotTable = retryImport(() => import("./createPivotTable.ts"));

/** Creates a pivot table. */
type CreatePivotTable = (options: Pick<ItemViewOptions, "onChoose" | "onDrill">) => TitledGrid;

/** Shared by all items of a page; undefined until its script has loaded. */
let createPivotTable: CreatePivotTable | undefined;

async function preparePivotTables(): Promise<void> {
  const [parts, loaded] = await Promise.all([loadPivot(), loadPivotTable()]);
  createPivotTable = (options) => loaded.createPivotTable(parts, options);
}

/**
 * The draw functions of the kinds that an item needs, and the words of its language. The first script contains the
 * common kinds and English; others load on first use.
 */
export interface Drawings {
  /** Returns the draw function of a kind; undefined until it and the words of the locale are loaded. */
  of(kind: ItemKind, localeId: string): DrawKind | undefined;
  /**
   * Returns the function that creates pivot tables, which are elements; undefined until its script and the words of the
   * locale are loaded.
   */
  pivotTables(localeId: string): CreatePivotTable | undefined;
  /** Loads the draw function of a kind and the words of a locale, unless they are loaded or loading. */
  load(kind: ItemKind, localeId: string): void;
  hasFailed(): boolean;
  /** Returns the state that an item shows while its draw function is missing. */
  state(localeId: string): ItemState;
  close(): void;
}

/**
 * Creates the drawings of an item. `onChange` is called when loading a draw function starts again, succeeds or fails.
 */
export function createDrawings(
  onChange: () => void,
  onFailure: ((failure: unknown) => void) | undefined,
): Drawings {
  let loading: string | undefined;
  const of = (kind: ItemKind, localeId: string) =>
    hasLanguage(localeId) ? loadedKind(kind, localeId) : undefined;
  const pivotTables = (localeId: string) => (hasLanguage(localeId) ? createPivotTable : undefined);
  let failure: Error | undefined;
  let isClosed = false;
  return {
    of,
    pivotTables,
    load(kind, localeId) {
      const wanted = `${kind} ${languageOf(localeId)}`;
      const isPivot = kind === "pivot";
      const isLoaded = isPivot ? pivotTables(localeId) : of(kind, localeId);
      if (isLoaded || loading === wanted) return;
      loading = wanted;
      const wasFailed = failure !== undefined;
      failure = undefined;
      if (wasFailed) onChange();
      const end = (cause?: unknown) => {
        if (loading !== wanted || isClosed) return;
        loading = undefined;
        if (cause !== undefined) failure = new Error("the picture could not be loaded", { cause });
        onChange();
        if (failure) onFailure?.(failure);
      };
      const script: Promise<unknown> = isPivot ? preparePivotTables() : loadKind(kind, localeId);
      Promise.all([script, loadLanguage(localeId)]).then(() => end(), end);
    },
    hasFailed: () => failure !== undefined,
    state: (localeId) =>
      failure ? { kind: "failed", message: viewWordsOf(localeId).noPicture } : { kind: "loading" },
    close() {
      isClosed = true;
    },
  };
}
