import { loadedKind, loadKind, type DrawKind, type ItemKind } from "../../charts/index.ts";
import type { ItemState } from "./itemPicture.ts";
import { viewWordsOf } from "./viewWords.ts";

/** The drawings of kinds that an item needs; most are here, others load when they are used. */
export interface Drawings {
  of(kind: ItemKind): DrawKind | undefined;
  /** Loads the drawing of a kind, unless it is here or loads. */
  load(kind: ItemKind): void;
  hasFailed(): boolean;
  /** Returns what an item shows while its drawing is not here. */
  state(localeId: string): ItemState;
  close(): void;
}

/** Makes the drawings of an item. `onChange` is called when one is here, and when one could not be loaded. */
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
