import { isObject, listOf, type Members } from "../../../base/index.ts";
import { standardBody, standardValue } from "./standardBody.ts";

/**
 * Matches paths such as `emails[type eq "work"].value`: the entries of a list that match a value, and a member of these
 * entries.
 */
const entryPath = /^(\w+)\[\s*(\w+)\s+eq\s+(?:"([^"\\]*)"|(true|false))\s*\](?:\.(\w+))?$/i;

interface EntryPath {
  readonly list: string;
  readonly key: string;
  readonly wanted: unknown;
  readonly part: string | undefined;
}

/**
 * Converts the operations of a patch to the form of the standard. Entra ID sets members of an entry that does not exist
 * (`emails[type eq "home"].value`), which the standard refuses; here the entry is added. `stored` is the resource
 * before the patch, or undefined if no entry may be added. Combines all operations on a new entry into one, at the
 * position of the first of these operations.
 */
export function standardOperations(
  operations: readonly unknown[],
  stored: Members | undefined,
): unknown[] {
  const made = new Map<string, Record<string, unknown>>();
  return operations.flatMap(separate).flatMap((operation) => {
    if (!isObject<"path" | "value">(operation) || typeof operation.path !== "string")
      return [operation];
    const { path } = operation;
    const attribute = path.split(/[.:]/).at(-1) ?? path;
    const standard = {
      ...operation,
      ...("value" in operation && { value: standardValue(attribute, operation.value) }),
    };
    const entry = parseEntry(path);
    if (!entry) return [standard];
    const { list, key, wanted, part } = entry;
    const written = pathOf(entry);
    if (isRemoval(operation) || part === undefined || !stored || hasEntry(stored, entry))
      return [{ ...standard, path: written }];
    const name = `${list} ${key} ${String(wanted)}`;
    const known = made.get(name);
    const fresh = known ?? { [key]: wanted };
    fresh[part] = standard.value;
    made.set(name, fresh);
    return known ? [] : [{ op: "add", path: list, value: [fresh] }];
  });
}

/**
 * Splits an operation without a path. The result has one operation for its plain members, and one for each member that
 * is a path to an entry.
 */
function separate(operation: unknown): unknown[] {
  if (!isObject<"path">(operation) || operation.path !== undefined) return [operation];
  const { value } = operation;
  if (!isObject(value)) return [{ ...operation, value: standardBody(value) }];
  const isEntry = ([member]: [string, unknown]) => entryPath.test(member);
  const members = Object.entries(value);
  const plain = members.filter((each) => !isEntry(each));
  const entries = members
    .filter(isEntry)
    .map(([path, each]) => ({ ...operation, path, value: each }));
  const rest = { ...operation, value: standardBody(Object.fromEntries(plain)) };
  return plain.length > 0 || entries.length === 0 ? [rest, ...entries] : entries;
}

const isRemoval = ({ op }: Members) => typeof op === "string" && op.toLowerCase() === "remove";

function parseEntry(path: string): EntryPath | undefined {
  const found = entryPath.exec(path);
  if (!found) return undefined;
  const [, list = "", key = "", text, word, part] = found;
  return { list, key, wanted: standardValue(key, text ?? word?.toLowerCase() === "true"), part };
}

const pathOf = ({ list, key, wanted, part }: EntryPath) =>
  `${list}[${key} eq ${JSON.stringify(wanted)}]${part === undefined ? "" : `.${part}`}`;

/** Returns whether the entry exists. Attribute names are compared without regard to case. */
function hasEntry(stored: Members, { list, key, wanted }: EntryPath): boolean {
  return Object.entries(stored)
    .filter(([name]) => name.toLowerCase() === list.toLowerCase())
    .flatMap(([, entries]) => listOf(entries))
    .some((each) => isObject(each) && each[key] === wanted);
}
