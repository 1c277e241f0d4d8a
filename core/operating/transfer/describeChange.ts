import { isObject, listOf, type Members } from "../../base/index.ts";
import type { Change } from "./changeOf.ts";
import { isSame } from "./json.ts";
import { secretive } from "./placeholders.ts";
import { titleOf, type TransferRecord } from "./record.ts";

/** Maximum length of a value in a description. */
const shownLength = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** Returns the items of all views of a dashboard's contents by their id. */
function itemsOf(contents: unknown): ReadonlyMap<string, Members<"id" | "type">> {
  const { views } = isObject<"views">(contents) ? contents : {};
  const items = listOf(views).flatMap((view) => {
    const { items: found } = isObject<"items">(view) ? view : {};
    return listOf(found);
  });
  return new Map(items.filter(isObject<"id" | "type">).map((item) => [String(item.id), item]));
}

/** Says which items of a dashboard come, go and change. */
function describeContents(wanted: unknown, present: unknown): string {
  const [after, before] = [itemsOf(wanted), itemsOf(present)];
  const nameOf = (id: string, { type }: Members<"type">) => `${String(type)} ${id}`;
  const said = [
    ...[...after].flatMap(([id, item]) => {
      const held = before.get(id);
      if (!held) return [`adds ${nameOf(id, item)}`];
      return isSame(held, item) ? [] : [`changes ${nameOf(id, item)}`];
    }),
    ...[...before].flatMap(([id, item]) => (after.has(id) ? [] : [`removes ${nameOf(id, item)}`])),
  ];
  return said.length > 0 ? said.join(", ") : "changes other members than the items";
}

/**
 * Describes a change of a record for people, one line per member and link. Hides the values of kinds with secrets,
 * because any of their members can come from an environment variable. `state` contains the records to which links
 * refer.
 */
export function describeChange(
  { properties, links }: Change,
  present: TransferRecord,
  state: ReadonlyMap<string, TransferRecord>,
): readonly string[] {
  return [
    ...Object.entries(properties).map(([member, value]) => {
      if (secretive.includes(present.kind))
        return `${member}: changes to a value that is not shown`;
      if (member === "contents")
        return `contents: ${describeContents(value, present.properties[member])}`;
      return `${member}: ${shown(present.properties[member])} becomes ${shown(value)}`;
    }),
    ...links.map(({ role, id, properties: link }) => {
      const other = state.get(id);
      const name = other ? `${other.kind} ${JSON.stringify(titleOf(other))}` : id;
      const held = present.links[role]?.find((entry) => entry.id === id);
      const { id: _, ...before } = held ?? { id };
      return held
        ? `${role} ${name}: ${shown(before)} becomes ${shown(link)}`
        : `${role} ${name} is added: ${shown(link)}`;
    }),
  ];
}
