/** The history of questions, for undo and redo. Each question is a string, as in the address. */
export interface Steps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Records a question before the reader changes it. */
  leave(written: string): void;
  /** Returns the question before the given question; undefined if there is no earlier question. */
  undo(written: string): string | undefined;
  redo(written: string): string | undefined;
}

/** Creates an empty history. */
export function createSteps(): Steps {
  let past: readonly string[] = [];
  let future: readonly string[] = [];
  return {
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    leave(written) {
      past = [...past, written];
      future = [];
    },
    undo(written) {
      const before = past.at(-1);
      if (before === undefined) return undefined;
      past = past.slice(0, -1);
      future = [...future, written];
      return before;
    },
    redo(written) {
      const after = future.at(-1);
      if (after === undefined) return undefined;
      future = future.slice(0, -1);
      past = [...past, written];
      return after;
    },
  };
}
