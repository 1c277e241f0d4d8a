import { loadedKind, loadKind, type DrawKind, type ItemKind } from "../../charts/index.ts";
import type { ItemState } from "./itemPicture.ts";
import { viewWordsOf } from "./viewWords.ts";

/**
 * The draw functions of the kinds that an item needs. The first script contains the common kinds; others load on first
 * use.
 */
export interface Drawings {
  of(kind: ItemKind): DrawKind | undefined;
  /** Loads the draw function of a kind, unless it is loaded or loading. */
  load(kind: ItemKind): void;
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
  let loading: ItemKind | undefined;
  let failure: Error | undefined;
  let isClosed = false;
  return {
    of: loadedKind,
    load(kind) {
      if (loadedKind(kind) || loading === kind) return;
      loading = kind;
      const wasFailed = failure !== undefined;
      failure = undefined;
      if (wasFailed) onChange();
      const end = (cause?: unknown) => {
        if (loading !== kind || isClosed) return;
        loading = undefined;
        if (cause !== undefined) failure = new Error("the picture could not be loaded", { cause });
        onChange();
        if (failure) onFailure?.(failure);
      };
      loadKind(kind).then(() => end(), end);
    },
    hasFailed: () => failure !== undefined,
    state: (localeId) =>
      failure ? { kind: "failed", message: viewWordsOf(localeId).noPicture } : { kind: "loading" },
    close() {
      isClosed = true;
    },
  };
}
