import { isList, isRecord } from "../../../api/index.ts";
import type { words } from "./words.ts";

/** A group or an integration. People belong to it, and records are shared with it. */
export interface Holder {
  readonly resource: "group" | "integration";
  readonly id: string;
  /** Whether the reader may change the members and shares of the holder. */
  readonly isRuled: boolean;
}

export type Right = keyof typeof words.rights;

const shapes = {
  group: { model: "Group", member: "groups" },
  integration: { model: "Integration", member: "integrations" },
} as const;

/** Returns the `include` with which a search returns the records linked to a holder, and their links. */
export function includeOf({
  resource,
  id,
}: Pick<Holder, "resource" | "id">): Readonly<Record<string, unknown>> {
  return { model: shapes[resource].model, attributes: ["id"], where: { id }, jointype: "inner" };
}

/** Names of the response members that contain the link between two records. */
const links = ["groupRole", "userAccessRight", "groupAccessRight", "integrationAccessRight"];

/** Returns the link from a found record to the holder, with its flags and filters. */
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

/** Returns the highest right that a link grants. */
export function rightOf(link: Readonly<Record<string, unknown>>): Right {
  if (link["flagOwn"] === true) return "own";
  if (link["flagModify"] === true) return "modify";
  return link["flagUse"] === true ? "use" : "read";
}

/** Returns the flags that grant a right and all lower rights. */
export function flagsOf(right: Right): Readonly<Record<string, boolean>> {
  const isAtLeast = (...rights: readonly Right[]) => rights.includes(right);
  return {
    flagRead: true,
    flagUse: isAtLeast("use", "modify", "own"),
    flagModify: isAtLeast("modify", "own"),
  };
}
