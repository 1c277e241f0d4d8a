import { ApiFailure } from "../../../api/index.ts";
import { controls, type ControlId } from "./controls.ts";
import { suggestionsIn, type Suggestion } from "./suggestionsIn.ts";
import { words } from "./words.ts";

const ids = controls.map(({ id }) => id).join("|");
/** Matches the name of a setting in messages such as "set decimal to comma" and "range must be the first cell". */
const named = new RegExp(
  `(\\bset |\\bproperties\\.options\\.file\\.)(${ids})\\b|\\b(${ids})(?= must\\b)`,
  "g",
);

/** Returns the changes of settings that the host proposes for a refused file. */
export function suggestionsOf(refusal: unknown): readonly Suggestion[] {
  return refusal instanceof ApiFailure ? suggestionsIn(refusal.remedies) : [];
}

/** Returns the controls that can help with a refused file. */
export function blamedIn(refusal: unknown): ReadonlySet<ControlId> {
  const blamed = new Set(suggestionsOf(refusal).map(({ id }) => id));
  return new Set(controls.map(({ id }) => id).filter((id) => blamed.has(id)));
}

/** Returns a message of the host with the labels of the controls instead of the names that settings have in the API. */
export function inReadersWords(message: string): string {
  const labels: Readonly<Record<string, string>> = words.labels;
  return message.replace(
    named,
    (_, before: string | undefined, id: string | undefined, subject: string | undefined) =>
      `${before === "set " ? before : ""}“${labels[id ?? subject ?? ""]}”`,
  );
}
