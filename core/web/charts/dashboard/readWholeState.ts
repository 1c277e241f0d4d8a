import type { ControlValue } from "./controlValue.ts";
import { readState, type DashboardState } from "./dashboardState.ts";
import { readAnyValue } from "./readControlValue.ts";

/** A state whose parts all have a known form, and the parts of its source that have another form. */
export interface WholeState {
  readonly state: DashboardState | undefined;
  /** Paths such as `filters.city`. */
  readonly ignored: readonly string[];
}

/** Reads a state without its dashboard. Filters are read by their own members, because the items are not known. */
export function readWholeState(given: unknown): WholeState {
  const { state, ignored } = readState(given);
  if (!state) return { state, ignored };
  const { filters: found, ...others } = state;
  const all = Object.entries(found ?? {}).map(([id, each]) => [id, readAnyValue(each)] as const);
  const filters = all.flatMap(([id, value]): [string, ControlValue][] =>
    value ? [[id, value]] : [],
  );
  const unread = all.flatMap(([id, value]) => (value ? [] : [`filters.${id}`]));
  return {
    state: { ...others, ...(filters.length > 0 && { filters: Object.fromEntries(filters) }) },
    ignored: [...ignored, ...unread],
  };
}
