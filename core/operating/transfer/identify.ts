import type { Remembered } from "./folder.ts";
import { sorted } from "./json.ts";
import { kindNames, kinds, type KindName } from "./kinds.ts";
import { titleOf, type TransferRecord } from "./record.ts";
import type { WantedRecord } from "./readFolder.ts";
import { rewriteIds } from "./rewriteIds.ts";

export interface Identified {
  /** The ids of the organization's records by the ids in the files. It omits missing records, which will be created. */
  readonly ids: Map<string, string>;
  readonly problems: readonly string[];
}

const keyOf = ({ kind, properties, links }: TransferRecord): string | undefined => {
  const key = kinds[kind].key(properties, links);
  return key === undefined || key === null ? undefined : JSON.stringify(sorted(key));
};

function ambiguity(
  wanted: readonly WantedRecord[],
  found: readonly TransferRecord[],
  idsFile: string,
): string {
  const { file, kind } = wanted[0]!;
  const title = JSON.stringify(titleOf(wanted[0]!));
  const ids = found.map(({ id }) => id).join(", ");
  const own = wanted.map(({ id }) => id).join(", ");
  return `${file}: ${kind} ${title} occurs ${wanted.length} times in the folder (${own}) and ${found.length} times in the organization (${ids}); give them different names, or map their ids in ${idsFile}, as {"<id in the folder>": "<id in the organization>"}`;
}

/**
 * Finds the records of a folder that an organization already has. First it tries the id that an earlier run stored,
 * then the id in the file. Last, it tries a name, slug or similar key that is unique in the folder and in the
 * organization. O(records).
 */
export function identify(
  wanted: readonly WantedRecord[],
  present: readonly TransferRecord[],
  remembered: Remembered,
  idsFile: string,
): Identified {
  const ids = new Map<string, string>();
  const problems: string[] = [];
  const taken = new Set<string>();
  const presentById = new Map(present.map((record) => [record.id, record]));
  const wantedOf = Map.groupBy(wanted, ({ kind }) => kind);
  const presentOf = Map.groupBy(present, ({ kind }) => kind);
  const take = (id: string, target: string) => {
    ids.set(id, target);
    taken.add(target);
  };
  const known = (target: string | undefined, kind: KindName): target is string =>
    target !== undefined && !taken.has(target) && presentById.get(target)?.kind === kind;
  for (const kind of kindNames) {
    const all = wantedOf.get(kind) ?? [];
    for (const { id } of all) {
      const target = remembered.ids.get(id);
      if (known(target, kind)) take(id, target);
    }
    for (const { id } of all) if (!ids.has(id) && known(id, kind)) take(id, id);
    const matchKey = (parent: string | undefined, key: string | undefined) =>
      key === undefined ? undefined : JSON.stringify([parent ?? null, key]);
    const open = Map.groupBy(
      all.filter(({ id }) => !ids.has(id)),
      (record) => {
        const parent = record.parent === undefined ? undefined : ids.get(record.parent);
        if (record.parent !== undefined && parent === undefined) return undefined;
        return matchKey(parent, keyOf(rewriteIds(record, ids)));
      },
    );
    const candidates = Map.groupBy(
      (presentOf.get(kind) ?? []).filter(({ id }) => !taken.has(id)),
      (record) => matchKey(record.parent, keyOf(record)),
    );
    for (const [key, records] of open) {
      const found = key === undefined ? [] : (candidates.get(key) ?? []);
      if (found.length === 0) continue;
      // If a run stopped while it created one of several records with the same name, only that record has no stored id.
      const pending = records.find(({ id }) => id === remembered.pending);
      const only = records.length === 1 ? records[0] : pending;
      if (only && found.length === 1) take(only.id, found[0]!.id);
      else problems.push(ambiguity(records, found, idsFile));
    }
  }
  return { ids, problems };
}
