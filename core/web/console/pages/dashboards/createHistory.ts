/** The states of an edited object, with undo and redo. */
export interface History<State> {
  readonly current: State;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /**
   * Adds a state. A change whose step is that of the change before replaces it, so that typing in a field is one step.
   */
  change(state: State, step?: string): void;
  /** Ends the current step: the next change with the same step is a step of its own. */
  endStep(): void;
  undo(): void;
  redo(): void;
}

/** Maximum number of steps. */
const mostSteps = 200;

/** Creates a history that starts with a state. `changed` is called after each change. */
export function createHistory<State>(first: State, changed: () => void): History<State> {
  let states: readonly State[] = [first];
  let at = 0;
  let lastStep: string | undefined;
  const goTo = (index: number) => {
    lastStep = undefined;
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
    change(state, step) {
      const isSameStep = step !== undefined && step === lastStep && at > 0;
      states = [...states.slice(0, isSameStep ? at : at + 1), state].slice(-mostSteps);
      goTo(states.length - 1);
      lastStep = step;
    },
    endStep() {
      lastStep = undefined;
    },
    undo: () => goTo(at - 1),
    redo: () => goTo(at + 1),
  };
}
