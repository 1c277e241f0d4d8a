/** The states of an edited object, with undo and redo. */
export interface History<State> {
  readonly current: State;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  change(state: State): void;
  undo(): void;
  redo(): void;
}

/** Maximum number of steps. */
const mostSteps = 200;

/** Creates a history that starts with a state. `changed` is called after each change. */
export function createHistory<State>(first: State, changed: () => void): History<State> {
  let states: readonly State[] = [first];
  let at = 0;
  const goTo = (index: number) => {
    if (index < 0 || index >= states.length) return;
    at = index;
    changed();
  };
  return {
    get current() {
      return states[at]!;
    },
    get canUndo() {
      return at > 0;
    },
    get canRedo() {
      return at < states.length - 1;
    },
    change(state) {
      states = [...states.slice(0, at + 1), state].slice(-mostSteps);
      goTo(states.length - 1);
    },
    undo: () => goTo(at - 1),
    redo: () => goTo(at + 1),
  };
}
