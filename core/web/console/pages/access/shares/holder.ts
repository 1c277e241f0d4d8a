import { isList, isRecord } from "../../../api/index.ts";
import type { words } from "./words.ts";

/** A group or an integration, to which people belong and records are shared. */
export interface Holder {
  readonly resource: "group" | "integration";
  readonly id: string;
  /** Whether the reader may change who belongs to it and what it sees. */
  readonly isRuled: boolean;
}

export type Right = keyof typeof words.rights;

const shapes = {
  group: { model: "Group", member: "groups" },
  integration: { model: "Integration", member: "integrations" },
} as const;

/** The include by which a search answers the records that are linked to a holder, and their links. */
export function includeOf({
  resource,
  id,
}: Pick<Holder, "resource" | "id">): Readonly<Record<string, unknown>> {
  return { model: shapes[resource].model, attributes: ["id"], where: { id }, jointype: "inner" };
}

/** Names under which an answer has the link of two records. */
const links = ["groupRole", "userAccessRight", "groupAccessRight", "integrationAccessRight"];

/** Returns the link of a found record to the holder: its flags and filters. */
export function linkOf(
  row: Readonly<Record<string, unknown>>,
  { resource }: Holder,
): Readonly<Record<string, unknown>> {
  const linked = row[shapes[resource].member];
  const first = isList(linked) ? linked[0] : undefined;
  if (!isRecord(first)) return {};
  const found = links.map((name) => first[name]).find(isRecord);
  return found ?? {};
}

/** Returns the highest right that a link gives. */
export function rightOf(link: Readonly<Record<string, unknown>>): Right {
  if (link["flagOwn"] === true) return "own";
  if (link["flagModify"] === true) return "modify";
  return link["flagUse"] === true ? "use" : "read";
}

/** The flags that give a right, with those below it. */
export function flagsOf(right: Right): Readonly<Record<string, boolean>> {
  const isAtLeast = (...rights: readonly Right[]) => rights.includes(right);
  return {
    flagRead: true,
    flagUse: isAtLeast("use", "modify", "own"),
    flagModify: isAtLeast("modify", "own"),
  };
}
