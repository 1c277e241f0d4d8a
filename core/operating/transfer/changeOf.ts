import { isSame, type Json } from "./json.ts";
import { carried, declarationOf, type KindName } from "./kinds.ts";
import type { WantedRecord } from "./readFolder.ts";
import type { LinkEntry, TransferRecord } from "./record.ts";
import { rewriteIds } from "./rewriteIds.ts";
import type { Field } from "../../resources/index.ts";
import { isObject } from "../../base/index.ts";

export interface WantedLink {
  readonly role: string;
  readonly id: string;
  readonly properties: Json;
}

/**
 * The changes that make a record of the organization equal to its file. All members are empty if the record equals its
 * file.
 */
export interface Change {
  readonly properties: Json;
  readonly links: readonly WantedLink[];
  /** Links that only the organization's record has. They are kept. */
  readonly moreLinks: readonly { readonly role: string; readonly id: string }[];
}

/** Returns a value as the API shows it after storing it. */
function shown(field: Field, value: unknown): unknown {
  const stored = value !== null && field.convert ? field.convert(value) : value;
  return stored instanceof Date ? stored.toISOString() : stored;
}

/**
 * Returns the value to send for a sealed member; undefined if nothing has to be sent. The API shows only the names
 * within a sealed member, and sending null for a name keeps its value.
 */
function sealedChange(
  wanted: unknown,
  present: unknown,
  unsetNames: readonly string[],
  sendsSecrets: boolean,
  madeNames: readonly string[],
): Json | null | undefined {
  if (!isObject(wanted)) return present === null ? undefined : null;
  const isOfFile = (name: string) =>
    !madeNames.includes(name) || Object.hasOwn(wanted, name) || unsetNames.includes(name);
  const held = Object.fromEntries(
    Object.entries(isObject(present) ? present : {}).filter(([name]) => isOfFile(name)),
  );
  const names = [...Object.keys(wanted), ...unsetNames.filter((name) => Object.hasOwn(held, name))];
  let isChanged = !isSame(names.toSorted(), Object.keys(held).toSorted());
  const sent = names.map((name) => {
    const isKept =
      Object.hasOwn(held, name) &&
      held[name] === null &&
      (!sendsSecrets || !Object.hasOwn(wanted, name));
    if (isKept) return [name, null] as const;
    if (!Object.hasOwn(held, name) || !isSame(held[name], wanted[name])) isChanged = true;
    return [name, wanted[name]] as const;
  });
  return isChanged ? Object.fromEntries(sent) : undefined;
}

/**
 * Names within the config of a channel that the host sets itself. Applying a file without these names leaves their
 * values unchanged.
 */
const madeOf = (kind: KindName): readonly string[] =>
  kind === "channel" ? ["secret", "previous_secret", "previous_secret_until"] : [];

function propertiesOf(
  wanted: WantedRecord,
  present: TransferRecord,
  sendsSecrets: boolean,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  if (present.properties["public"] === true && wanted.kind === "group") return changed;
  for (const [member, field] of carried(wanted.kind)) {
    if (!field.on.includes("update") || !Object.hasOwn(wanted.properties, member)) continue;
    const value = wanted.properties[member];
    const held = present.properties[member];
    if (field.secret) {
      if (sendsSecrets) changed[member] = value;
    } else if (field.sealed) {
      const prefix = `${member}.`;
      const unsetNames = wanted.unset
        .filter(({ path }) => path.startsWith(prefix))
        .map(({ path }) => path.slice(prefix.length));
      const sent = sealedChange(value, held, unsetNames, sendsSecrets, madeOf(wanted.kind));
      if (sent !== undefined) changed[member] = sent;
    } else if (!isSame(shown(field, value), held)) changed[member] = value;
  }
  return changed;
}

/** Lists the members of an existing record that differ from its file, but can be set only when a record is created. */
export function fixedProblems(
  filed: WantedRecord,
  present: TransferRecord,
  ids: ReadonlyMap<string, string>,
): string[] {
  const { kind, file, properties } = rewriteIds(filed, ids);
  return [...carried(kind)].flatMap(([member, field]) => {
    const isFixed = field.on.includes("create") && !field.on.includes("update");
    if (!isFixed || !Object.hasOwn(properties, member)) return [];
    const held = present.properties[member];
    if (isSame(shown(field, properties[member]), held)) return [];
    return [
      `${file}: properties.${member} of the ${kind} ${present.id} is ${JSON.stringify(held)} and cannot be changed; write this value, or use another id in the file to create a new ${kind}`,
    ];
  });
}

const without = (entry: LinkEntry): Json =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([member, value]) => member !== "id" && value !== null && value !== false,
    ),
  );

/**
 * Compares a record from a folder with the organization's record. The ids in the record from the folder must already be
 * mapped.
 */
export function changeOf(
  filed: WantedRecord,
  present: TransferRecord,
  ids: ReadonlyMap<string, string>,
  sendsSecrets: boolean,
): Change {
  const wanted = rewriteIds(filed, ids);
  const links: WantedLink[] = [];
  const moreLinks: { role: string; id: string }[] = [];
  const { associations } = declarationOf(wanted.kind);
  for (const [role, entries] of Object.entries(wanted.links)) {
    const association = associations[role]!;
    const link = association.kind === "through" ? association.link : undefined;
    const lowest = link?.flags?.[0]?.slice("flag".length).toLowerCase();
    const choice = link?.choice;
    for (const entry of entries) {
      const said = {
        ...(lowest !== undefined && { right: lowest }),
        ...(choice && { [choice.member]: choice.values[0] }),
        ...without(entry),
      };
      const held = present.links[role]?.find(({ id }) => id === entry.id);
      if (held && isSame(without(held), said)) continue;
      const { right, ...rest }: Json = said;
      const flag = link?.flags?.find((each) => each.slice("flag".length).toLowerCase() === right);
      links.push({ role, id: entry.id, properties: { ...rest, ...(flag && { [flag]: true }) } });
    }
  }
  for (const [role, entries] of Object.entries(present.links))
    for (const { id } of entries)
      if (
        associations[role]?.kind === "through" &&
        !wanted.links[role]?.some((entry) => entry.id === id)
      )
        moreLinks.push({ role, id });
  return { properties: propertiesOf(wanted, present, sendsSecrets), links, moreLinks };
}
