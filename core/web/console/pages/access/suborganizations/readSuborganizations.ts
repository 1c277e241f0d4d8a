import type { Api } from "../../../api/index.ts";

/** A part of the organization, with its number of people and groups. */
export interface Suborganization {
  /** The name, which identifies the suborganization. */
  readonly id: string;
  readonly people: number;
  readonly groups: number;
}

interface Row {
  readonly suborganization: string;
}

/** Maximum number of rows in one response of the API. */
const pageRows = 10_000;

/**
 * Counts people and groups by the suborganization that they name. Makes two calls, plus one for every further 10,000
 * people or groups in suborganizations.
 */
export async function readSuborganizations(
  api: Api,
  signal?: AbortSignal,
): Promise<readonly Suborganization[]> {
  const countOf = async (resource: string): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    const find = { where: { suborganization: { ne: null } }, attributes: ["suborganization"] };
    let read = 0;
    for (;;) {
      const more = { ...find, order: [["id", "asc"]], limit: pageRows, offset: read };
      const { count, rows } = await api.get<Row>(resource, more, { signal });
      for (const { suborganization: name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
      read += rows.length;
      if (rows.length === 0 || read >= count) return counts;
    }
  };
  const [people, groups] = await Promise.all([countOf("user"), countOf("group")]);
  return [...new Set([...people.keys(), ...groups.keys()])]
    .toSorted((a, b) => a.localeCompare(b))
    .map((id) => ({ id, people: people.get(id) ?? 0, groups: groups.get(id) ?? 0 }));
}
