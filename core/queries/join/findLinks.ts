import { ApiError } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { ColumnLink, FindDataset, QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import { leadingTo, readRole } from "../roles.ts";

/** The linked columns of one dataset. Several columns form one key. */
export interface LinkEnd {
  readonly dataset: QueriedDataset;
  readonly columns: readonly QueriedColumn[];
}

/** Columns of two datasets that contain the same kind of values, in the same order. */
export type DatasetLink = readonly [LinkEnd, LinkEnd];

/** Returns a string that is equal for ends with the same columns. */
export function keyOfEnd({ columns }: LinkEnd): string {
  return columns.map(({ id }) => id).join(" ");
}

/** Maximum number of datasets visited while searching for datasets that connect others. */
const mostLooked = 200;

/**
 * Finds the links that join the named datasets into one tree. If the datasets are not linked directly, the datasets on
 * the shortest path between them are added. There must be exactly one shortest path. Links of columns that the caller
 * may not use are ignored. Several links between two datasets form one key if they do not share a column.
 * @throws {ApiError} QUERY_NOT_JOINABLE if there is no path, or more than one
 */
export async function findLinks(
  named: readonly QueriedDataset[],
  findDataset: FindDataset,
  path: string,
): Promise<readonly DatasetLink[]> {
  const [first] = named;
  if (!first) return [];
  const among = new Map(named.map((dataset) => [dataset.id, dataset]));
  for (;;) {
    const links = linksAmong(among);
    const near = reachedFrom(first, links);
    if (near.size === among.size) {
      const circle = withoutLeaves(links);
      if (circle.length === 0) return links;
      throw notJoinable(
        path,
        `several ways join the datasets: ${circle.map(labelOf).join("; ")}. Name the linked column that leads to a dataset in via, such as ${wayOut(sharedColumn(circle))}, or remove the links that are not needed, or use fewer datasets in one query`,
      );
    }
    for (const dataset of await findBridge(among, near, findDataset, path))
      among.set(dataset.id, dataset);
  }
}

/** Describes a link by the columns at its ends. */
function labelOf([one, other]: DatasetLink): string {
  return `${endLabel(one)} = ${endLabel(other)}`;
}

export function endLabel({ dataset, columns }: LinkEnd): string {
  const names = columns.map(({ id, name }) => `${id} (${name})`).join(", ");
  return `${columns.length === 1 ? "column" : "columns"} ${names} of dataset ${dataset.id}`;
}

/** Writes the members that choose a way by the column from which a link starts. */
function wayOut([from, to]: DatasetLink | []): string {
  return JSON.stringify({ dataset_id: to?.dataset.id, via: from?.columns[0]?.id });
}

/** Returns the column at which a way differs from another, and the end of the way to which it leads. */
function startOf(way: readonly DatasetLink[], other: readonly DatasetLink[]): DatasetLink | [] {
  const index = way.findIndex((link, at) => labelOf(link) !== (other[at] && labelOf(other[at])));
  const [near, far] = way[index] ?? [];
  const [first, last] = [way[0]?.[0], way.at(-1)?.[1]];
  if (!near || !far || !first || !last) return [];
  const isFar = other[index] !== undefined && keyOfEnd(near) === keyOfEnd(other[index][0]);
  return isFar ? [far, first] : [near, last];
}

/** Returns a link that ends at a column at which several links end; any link if there is none. */
function sharedColumn(links: readonly DatasetLink[]): DatasetLink | [] {
  const directed = links.flatMap(([one, other]): DatasetLink[] => [
    [one, other],
    [other, one],
  ]);
  const isShared = ([, end]: DatasetLink) =>
    directed.filter(([, each]) => keyOfEnd(each) === keyOfEnd(end)).length > 1;
  return directed.find(isShared) ?? directed[0] ?? [];
}

export function notJoinable(path: string, why: string): ApiError {
  return new ApiError("QUERY_NOT_JOINABLE", [path || "the query", why]);
}

function linksAmong(datasets: ReadonlyMap<string, QueriedDataset>): readonly DatasetLink[] {
  const links = new Map<string, DatasetLink>();
  for (const dataset of datasets.values())
    for (const link of dataset.links) {
      const other = datasets.get(link.otherDatasetId);
      const usable = other && linkOf(dataset, other, link);
      const key = usable?.map(endLabel).toSorted().join(" ") ?? "";
      if (usable && !links.has(key)) links.set(key, usable);
    }
  const byPair = Map.groupBy(links.values(), (link) =>
    link
      .map(({ dataset }) => dataset.id)
      .toSorted()
      .join(" "),
  );
  return [...byPair.values()].flatMap(asOneKey);
}

/**
 * Combines links between two datasets to one if they do not share a column. Otherwise, the links are different ways.
 */
function asOneKey(links: readonly DatasetLink[]): readonly DatasetLink[] {
  const [first, ...others] = links;
  if (!first || others.length === 0) return links;
  const [one, other] = first;
  const facing = links
    .map((link) => (link[0].dataset === one.dataset ? link : ([link[1], link[0]] as const)))
    .toSorted(([left], [right]) => (keyOfEnd(left) < keyOfEnd(right) ? -1 : 1));
  const ends = [one, other].map(({ dataset }, side) => ({
    dataset,
    columns: facing.flatMap((link) => link[side]?.columns ?? []),
  }));
  const isKey = ends.every(({ columns }) => new Set(columns).size === links.length);
  const [left, right] = ends;
  return isKey && left && right ? [[left, right]] : links;
}

function linkOf(
  dataset: QueriedDataset,
  other: QueriedDataset,
  { columnId, otherId }: ColumnLink,
): DatasetLink | undefined {
  const [own, far] = [dataset.columns.get(columnId), other.columns.get(otherId)];
  if (!own || !far || own.type !== far.type || !isOfSource(own) || !isOfSource(far))
    return undefined;
  return [
    { dataset, columns: [own] },
    { dataset: other, columns: [far] },
  ];
}

function isOfSource({ expression, unserved }: QueriedColumn): boolean {
  return expression === undefined && unserved === undefined;
}

function reachedFrom(
  start: QueriedDataset,
  links: readonly DatasetLink[],
): ReadonlyMap<string, QueriedDataset> {
  const reached = new Map([[start.id, start]]);
  for (const dataset of reached.values())
    for (const ends of links) {
      const [one, other] = ends;
      if (one.dataset.id === dataset.id) reached.set(other.dataset.id, other.dataset);
      if (other.dataset.id === dataset.id) reached.set(one.dataset.id, one.dataset);
    }
  return reached;
}

/**
 * Returns the links that form cycles. Repeatedly removes links to datasets that have no other link; the remaining links
 * form cycles.
 */
function withoutLeaves(links: readonly DatasetLink[]): readonly DatasetLink[] {
  const countOf = (end: LinkEnd) =>
    links.filter((link) => link.some(({ dataset }) => dataset.id === end.dataset.id)).length;
  const inner = links.filter((link) => link.every((end) => countOf(end) > 1));
  return inner.length === links.length ? links : withoutLeaves(inner);
}

/** A dataset that the search has reached, with at most two of the paths to it. */
interface ReachedDataset {
  readonly dataset: QueriedDataset;
  readonly ways: readonly (readonly DatasetLink[])[];
}

/** Finds the datasets that connect the linked datasets with a dataset that is not linked yet. */
async function findBridge(
  among: ReadonlyMap<string, QueriedDataset>,
  near: ReadonlyMap<string, QueriedDataset>,
  findDataset: FindDataset,
  path: string,
): Promise<readonly QueriedDataset[]> {
  const far = [...among.values()].filter(({ id }) => !near.has(id));
  const failures: unknown[] = [];
  const visited = new Set(near.keys());
  const look = async (id: string): Promise<QueriedDataset | undefined> =>
    among.get(id) ??
    findDataset(id, path).catch((failure: unknown) => {
      const isKnown = failure instanceof ApiError || failure instanceof PluginError;
      if (!isKnown) throw failure;
      if (failure.code !== "RECORD_NOT_FOUND") failures.push(failure);
      return undefined;
    });
  let frontier: readonly ReachedDataset[] = [...near.values()].map((dataset) => ({
    dataset,
    ways: [[]],
  }));
  const vias = new Set([...among.keys()].flatMap((id) => readRole(id)?.via ?? []));
  // A dataset that the query reads in roles does not also connect other datasets.
  for (const { roleOf } of among.values())
    if (roleOf !== undefined && !among.has(roleOf)) visited.add(roleOf);
  while (frontier.length > 0 && visited.size < mostLooked) {
    const next = await step(frontier, visited, vias, look);
    const hit = far.flatMap(({ id }) => next.get(id) ?? [])[0];
    if (hit) return bridgeOf(hit, near, path);
    for (const id of next.keys()) visited.add(id);
    frontier = [...next.values()];
  }
  // Throw a failed lookup of a connecting dataset, because it may be the reason why no path was found.
  if (failures.length > 0) throw failures[0];
  const listOf = (datasets: Iterable<QueriedDataset>) =>
    [...datasets].map(({ id }) => id).join(", ");
  throw notJoinable(
    path,
    `no columns link ${listOf(near.values())} with ${listOf(far)}. Link a column of one to a column of the other that contains the same values and has the same type (role Joins), or send one query per dataset`,
  );
}

async function step(
  frontier: readonly ReachedDataset[],
  visited: ReadonlySet<string>,
  vias: ReadonlySet<string>,
  look: (id: string) => Promise<QueriedDataset | undefined>,
): Promise<ReadonlyMap<string, ReachedDataset>> {
  const steps = frontier.flatMap((place) =>
    withRoles(place.dataset.links, vias)
      .filter(({ otherDatasetId }) => !visited.has(otherDatasetId))
      .map((link) => ({ place, link })),
  );
  const ids = [...new Set(steps.map(({ link }) => link.otherDatasetId))];
  const found = new Map(await Promise.all(ids.map(async (id) => [id, await look(id)] as const)));
  const next = new Map<string, ReachedDataset>();
  const byPair = Map.groupBy(steps, ({ place, link }) =>
    JSON.stringify([place.dataset.id, link.otherDatasetId]),
  );
  for (const pair of byPair.values()) {
    const [first] = pair;
    const dataset = first && found.get(first.link.otherDatasetId);
    if (!dataset) continue;
    const { place } = first;
    // Both columns of a link may declare it.
    const usable = new Map(
      pair.flatMap((each) => {
        const made = linkOf(place.dataset, dataset, each.link);
        return made ? [[labelOf(made), made] as const] : [];
      }),
    );
    const links = asOneKey([...usable.values()]);
    if (links.length === 0) continue;
    const ways = links.flatMap((each) => place.ways.map((way) => [...way, each]));
    const known = next.get(dataset.id)?.ways ?? [];
    next.set(dataset.id, { dataset, ways: [...known, ...ways].slice(0, 2) });
  }
  return next;
}

/** Adds the links to datasets in a role. Such a link starts from the column that the role names. */
function withRoles(links: readonly ColumnLink[], vias: ReadonlySet<string>): readonly ColumnLink[] {
  return links.flatMap((link) =>
    vias.has(link.columnId) && readRole(link.otherDatasetId) === undefined
      ? [link, leadingTo(link, link.columnId)]
      : [link],
  );
}

function bridgeOf(
  { dataset, ways }: ReachedDataset,
  near: ReadonlyMap<string, QueriedDataset>,
  path: string,
): readonly QueriedDataset[] {
  const [way = [], other = []] = ways;
  if (ways.length > 1)
    throw notJoinable(
      path,
      `several ways lead to ${dataset.id}: ${ways.map((each) => each.map(labelOf).join(", ")).join("; or ")}. Use a column of the dataset through which the join should go, or name the first column of a way in via, such as ${wayOut(startOf(way, other))}, or remove the links that are not needed`,
    );
  return way.flatMap((link) => link.map((end) => end.dataset)).filter(({ id }) => !near.has(id));
}
