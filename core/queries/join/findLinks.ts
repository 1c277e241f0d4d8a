import { ApiError } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { ColumnLink, FindDataset, QueriedColumn, QueriedDataset } from "../queriedDataset.ts";

export interface LinkEnd {
  readonly dataset: QueriedDataset;
  readonly column: QueriedColumn;
}

/** Two columns of two datasets that contain the same kind of values. */
export type DatasetLink = readonly [LinkEnd, LinkEnd];

/** Maximum number of datasets visited while searching for datasets that connect others. */
const mostLooked = 200;

/**
 * Finds the links that join the named datasets into one tree. If the datasets are not linked directly, the datasets on
 * the shortest path between them are added. There must be exactly one shortest path. Links of columns that the caller
 * may not use are ignored.
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
        `there are several ways: ${circle.map(labelOf).join("; ")}. Remove the links that are not needed, or use fewer datasets in one query`,
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

export function endLabel({ dataset, column }: LinkEnd): string {
  return `column ${column.id} (${column.name}) of dataset ${dataset.id}`;
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
      const key = [link.columnId, link.otherId].toSorted().join(" ");
      if (usable && !links.has(key)) links.set(key, usable);
    }
  return [...links.values()];
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
    { dataset, column: own },
    { dataset: other, column: far },
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

/** Returns the links that form cycles, by repeatedly removing links to datasets that have no other link. */
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
  while (frontier.length > 0 && visited.size < mostLooked) {
    const next = await step(frontier, visited, look);
    const hit = far.flatMap(({ id }) => next.get(id) ?? [])[0];
    if (hit) return bridgeOf(hit, near, path);
    for (const id of next.keys()) visited.add(id);
    frontier = [...next.values()];
  }
  // If looking up a connecting dataset fails, that failure explains why the datasets are not linked.
  if (failures.length > 0) throw failures[0];
  const listOf = (datasets: Iterable<QueriedDataset>) =>
    [...datasets].map(({ id }) => id).join(", ");
  throw notJoinable(
    path,
    `no columns link ${listOf(near.values())} with ${listOf(far)}. Link a column of one to the column of the other that holds the same values and has the same type (role Joins), or send one query per dataset`,
  );
}

async function step(
  frontier: readonly ReachedDataset[],
  visited: ReadonlySet<string>,
  look: (id: string) => Promise<QueriedDataset | undefined>,
): Promise<ReadonlyMap<string, ReachedDataset>> {
  const steps = frontier.flatMap((place) =>
    place.dataset.links
      .filter(({ otherDatasetId }) => !visited.has(otherDatasetId))
      .map((link) => ({ place, link })),
  );
  const ids = [...new Set(steps.map(({ link }) => link.otherDatasetId))];
  const found = new Map(await Promise.all(ids.map(async (id) => [id, await look(id)] as const)));
  const next = new Map<string, ReachedDataset>();
  for (const { place, link } of steps) {
    const dataset = found.get(link.otherDatasetId);
    const usable = dataset && linkOf(place.dataset, dataset, link);
    if (!usable) continue;
    const ways = place.ways.map((way) => [...way, usable]);
    const known = next.get(dataset.id)?.ways ?? [];
    next.set(dataset.id, { dataset, ways: distinct([...known, ...ways]).slice(0, 2) });
  }
  return next;
}

/** Removes duplicate links, because both columns of a link may declare it. */
function distinct(ways: ReachedDataset["ways"]): ReachedDataset["ways"] {
  return [...new Map(ways.map((way) => [way.map(labelOf).join(" "), way])).values()];
}

function bridgeOf(
  { dataset, ways }: ReachedDataset,
  near: ReadonlyMap<string, QueriedDataset>,
  path: string,
): readonly QueriedDataset[] {
  const [way = []] = ways;
  if (ways.length > 1)
    throw notJoinable(
      path,
      `several ways lead to ${dataset.id}: ${ways.map((each) => each.map(labelOf).join(", ")).join("; or ")}. Use a column of the dataset to go through, or remove the links that are not needed`,
    );
  return way.flatMap((link) => link.map((end) => end.dataset)).filter(({ id }) => !near.has(id));
}
