import { isObject } from "../../base/index.ts";
import type { WantedRecord } from "./readFolder.ts";
import { kindNames, kinds, type KindName } from "./kinds.ts";
import { titleOf } from "./record.ts";
import { TransferError } from "./transferError.ts";

/** The kinds with a folder of their own, by the name of the folder. Parts belong to the kind of their parent. */
const kindByFolder = new Map(
  kindNames.flatMap((kind) => {
    const { folder } = kinds[kind];
    return folder === undefined ? [] : [[folder, kind] as const];
  }),
);

/** The names that `--only` accepts. */
const folderNames: readonly string[] = [...kindByFolder.keys()];

/**
 * Parses the value of `--only`: names of folders, separated by commas. Returns these kinds with their parts.
 * @throws {TransferError} for an unknown name
 */
export function parseOnly(value: string): ReadonlySet<KindName> {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !kindByFolder.has(name));
  if (unknown !== undefined || names.length === 0)
    throw new TransferError(
      `--only must name folders, separated by commas, not ${JSON.stringify(unknown ?? value)}; the folders are ${folderNames.join(", ")}`,
    );
  const chosen = new Set<KindName>(names.map((name) => kindByFolder.get(name)!));
  for (const kind of kindNames) {
    const { parent } = kinds[kind];
    if (parent && chosen.has(parent.kind)) chosen.add(kind);
  }
  return chosen;
}

/** Returns every string within a value. */
function stringsIn(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) for (const each of value) stringsIn(each, found);
  else if (isObject(value)) for (const each of Object.values(value)) stringsIn(each, found);
  return found;
}

/**
 * Lists the records that the chosen records need, that the folder has, and that are neither chosen nor in the
 * organization. `ids` contains the records that the organization has.
 */
export function missingNeeds(
  records: readonly WantedRecord[],
  chosen: ReadonlySet<KindName>,
  ids: ReadonlyMap<string, string>,
): readonly string[] {
  const absent = new Map(
    records
      .filter(({ id, kind }) => !chosen.has(kind) && !ids.has(id))
      .map((each) => [each.id, each]),
  );
  return records
    .filter(({ kind }) => chosen.has(kind))
    .flatMap(({ file, properties, links, source, parent }) => {
      const named = stringsIn([properties, links, source, parent]).map((each) =>
        each.toLowerCase(),
      );
      const needed = new Set(named.flatMap((id) => absent.get(id) ?? []));
      return [...needed].map(
        (each) =>
          `${file}: needs the ${each.kind} ${JSON.stringify(titleOf(each))} of ${each.file}, which the organization does not have; add ${each.file.split("/")[0]} to --only`,
      );
    });
}
