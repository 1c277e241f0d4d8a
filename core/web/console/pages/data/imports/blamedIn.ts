import { ApiFailure, messageOf } from "../../../api/index.ts";
import { controls, type ControlId } from "./controls.ts";
import { words } from "./words.ts";

const ids = controls.map(({ id }) => id).join("|");
/** Matches the name of a setting in messages such as "set decimal to comma" and "range must be the first cell". */
const named = new RegExp(
  `(\\bset |\\bproperties\\.options\\.file\\.)(${ids})\\b|\\b(${ids})(?= must\\b)`,
  "g",
);

/**
 * Returns the controls that can help with a refused file: those whose settings the host names in its message, such as
 * "set separator to one of them", or as wrong members.
 */
export function blamedIn(refusal: unknown): ReadonlySet<ControlId> {
  if (refusal === undefined) return new Set();
  const members = refusal instanceof ApiFailure ? Object.keys(refusal.validation) : [];
  const found = [messageOf(refusal), ...members].flatMap((text) =>
    [...text.matchAll(named)].map(([, , id, subject]) => id ?? subject),
  );
  return new Set(controls.map(({ id }) => id).filter((id) => found.includes(id)));
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
