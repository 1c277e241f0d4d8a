import { ApiFailure } from "./apiFailure.ts";

/** Matches the host's message about one member of the properties. */
const ofMember = /^properties\.(\S+) is (?:not valid|required|unknown)[:;] (.+)$/s;

/**
 * Returns what the host says about each member that was sent, such as `{ name: "must have at most 1000 characters" }`.
 * Members are named without the leading `properties.`; the result is empty if the failure is not about members.
 */
export function mistakesIn(failure: unknown): Readonly<Record<string, string>> {
  if (!(failure instanceof ApiFailure)) return {};
  const listed = Object.entries(failure.validation).flatMap(([member, [mistake]]) =>
    mistake === undefined ? [] : [[member.replace(/^properties\./, ""), mistake] as const],
  );
  if (listed.length > 0) return Object.fromEntries(listed);
  const [, member, mistake] = ofMember.exec(failure.message) ?? [];
  return member === undefined || mistake === undefined ? {} : { [member]: mistake };
}
