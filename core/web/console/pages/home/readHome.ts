import type { Api, Found } from "../../api/index.ts";
import {
  readBoards,
  readCollections,
  type Collections,
  type ListedBoard,
} from "../../boards/index.ts";
import type { Visit } from "../../navigation/index.ts";

/** A record that the Home page lists. */
export interface Listed {
  readonly id: string;
  readonly name: unknown;
  readonly rows?: number | null;
  readonly modified_at?: string | null;
  readonly status?: string | null;
}

/** A record that is late or has failed. */
export interface Problem {
  readonly kind: "alert" | "firing" | "account" | "sync";
  readonly name: unknown;
  readonly id: string;
  readonly href: string;
}

/** A record that the reader opened lately, with its name. */
export interface Recent extends Visit {
  readonly name: unknown;
}

export interface HomeRecords {
  readonly collections: Collections;
  readonly favorites: Found<ListedBoard>;
  readonly favoriteDatasets: Found<Listed>;
  readonly dashboards: Found<ListedBoard>;
  readonly datasets: Found<Listed>;
  readonly alerts: Found<Listed>;
  readonly recents: readonly Recent[];
  readonly problems: readonly Problem[];
}

export interface HomeOptions {
  readonly userId: string;
  /** The records that the reader opened, the last one first. */
  readonly visits: readonly Visit[];
}

const shownCount = 6;
const favoriteCount = 8;
const problemCount = 20;
/** Time after which a dataset that synchronizes every hour counts as late, in milliseconds. */
const lateMs = 86_400_000;

/** Fetches recent records, favourites and problems. Makes at most ten calls, eight of them at the same time. */
export async function readHome(
  api: Api,
  { userId, visits }: HomeOptions,
  signal: AbortSignal,
): Promise<HomeRecords> {
  const late = new Date(Date.now() - lateMs).toISOString();
  const newest = { text: "", order: "changed" } as const;
  const [
    { collections, favorites, favoriteDatasets },
    dashboards,
    datasets,
    alerts,
    accounts,
    unsynchronized,
    recents,
  ] = await Promise.all([
    readFavorites(api, userId, signal),
    readBoards(api, newest, { offset: 0, limit: shownCount }, signal),
    api.get<Listed>(
      "securable",
      {
        where: { type: "dataset" },
        attributes: ["id", "name", "rows", "modified_at"],
        order: [["modified_at", "desc"]],
        limit: shownCount,
      },
      { signal },
    ),
    api.get<Listed>(
      "alert",
      {
        attributes: ["id", "name", "status"],
        order: [["updated_at", "desc"]],
        limit: problemCount,
      },
      { signal },
    ),
    api.get<Listed>(
      "account",
      { where: { invalid: true }, attributes: ["id", "name"], limit: problemCount },
      { signal },
    ),
    api.get<Listed>(
      "securable",
      {
        where: {
          type: "dataset",
          meta_sync_enabled: true,
          account_id: { not: null },
          last_metadata_sync_at: { lt: late },
        },
        attributes: ["id", "name"],
        limit: problemCount,
      },
      { signal },
    ),
    readRecents(api, visits, signal),
  ]);
  return {
    collections,
    favorites,
    favoriteDatasets,
    dashboards,
    datasets,
    alerts: { count: alerts.count, rows: alerts.rows.slice(0, shownCount) },
    recents,
    problems: [
      ...alerts.rows.flatMap(({ id, name, status }): Problem[] =>
        status === "error" || status === "firing"
          ? [{ kind: status === "error" ? "alert" : "firing", id, name, href: `/alerts/${id}` }]
          : [],
      ),
      ...accounts.rows.map(({ id, name }): Problem => ({
        kind: "account",
        id,
        name,
        href: `/data/connections/${id}`,
      })),
      ...unsynchronized.rows.map(({ id, name }): Problem => ({
        kind: "sync",
        id,
        name,
        href: `/data/${id}`,
      })),
    ],
  };
}

async function readFavorites(api: Api, userId: string, signal: AbortSignal) {
  const collections = await readCollections(api, userId, signal);
  const ids = [...(collections.favorites?.ids ?? [])];
  const search = { text: "", order: "name", ids } as const;
  const page = { offset: 0, limit: favoriteCount };
  if (ids.length === 0)
    return {
      collections,
      favorites: { count: 0, rows: [] },
      favoriteDatasets: { count: 0, rows: [] },
    };
  const find = {
    where: { type: "dataset", id: { in: ids } },
    attributes: ["id", "name", "rows", "modified_at"],
    order: [["modified_at", "desc"]],
    limit: favoriteCount,
  };
  const [favorites, favoriteDatasets] = await Promise.all([
    readBoards(api, search, page, signal),
    api.get<Listed>("securable", find, { signal }),
  ]);
  return { collections, favorites, favoriteDatasets };
}

/** Fetches the names of visited records. Records that were deleted or are not shared any more are left out. */
async function readRecents(
  api: Api,
  visits: readonly Visit[],
  signal: AbortSignal,
): Promise<readonly Recent[]> {
  const idsOf = (isAlert: boolean) =>
    visits.filter(({ kind }) => (kind === "alert") === isAlert).map(({ id }) => id);
  const named = async (resource: string, ids: readonly string[]) => {
    if (ids.length === 0) return [];
    const find = { where: { id: { in: ids } }, attributes: ["id", "name"], limit: ids.length };
    return (await api.get<Listed>(resource, find, { signal })).rows;
  };
  const found = await Promise.all([named("securable", idsOf(false)), named("alert", idsOf(true))]);
  const names = new Map(found.flat().map(({ id, name }) => [id, name]));
  return visits
    .flatMap((visit) => (names.has(visit.id) ? [{ ...visit, name: names.get(visit.id) }] : []))
    .slice(0, shownCount);
}
