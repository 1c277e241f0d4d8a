import { isList, isRecord } from "../../../api/index.ts";
import { controls, type ControlId } from "./controls.ts";

/** A setting that the host proposes to change. */
export interface Suggestion {
  readonly id: ControlId;
  /** The proposed value. Undefined if only the reader knows it. */
  readonly value: unknown;
}

/**
 * Returns the changes that the host proposes in the member `remedies` of a note or an error, for settings with a
 * control.
 */
export function suggestionsIn(remedies: unknown): readonly Suggestion[] {
  if (!isList(remedies)) return [];
  return remedies.filter(isRecord).flatMap(({ setting, value }) => {
    const control = controls.find(({ id }) => id === setting);
    return control ? [{ id: control.id, value }] : [];
  });
}

/** Returns the value of a setting after a suggestion. Strings that mean empty are added to those already chosen. */
export function valueAfter({ id, value }: Suggestion, current: unknown): unknown {
  if (id !== "nulls" || !isList(value)) return value;
  return [...new Set([...(isList(current) ? current : []), ...value])];
}
