import type { Api } from "../api/index.ts";
import { words } from "./words.ts";

interface StoredCollection {
  readonly id: string;
  readonly name: string;
  readonly favorite: boolean;
  readonly user_id: string;
  readonly securables?: readonly { readonly id: string }[];
}

/** A collection of dashboards and datasets that the reader can see. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  /** Ids of the records in it that the reader can see. */
  readonly ids: ReadonlySet<string>;
}

/** The collections of the reader, with the favourites apart. The host stores them for each user. */
export interface Collections {
  readonly favorites: Collection | undefined;
  readonly others: readonly Collection[];
}

const mostCollections = 200;

/** Fetches the reader's favourites, and the other collections that the reader can see. */
export async function readCollections(
  api: Api,
  userId: string,
  signal?: AbortSignal,
): Promise<Collections> {
  const { rows } = await api.get<StoredCollection>(
    "collection",
    {
      attributes: ["id", "name", "favorite", "user_id"],
      include: [{ model: "Securable", attributes: ["id"] }],
      order: [["name", "asc"]],
      limit: mostCollections,
    },
    { signal },
  );
  const shown = ({ id, name, securables = [] }: StoredCollection): Collection => ({
    id,
    name,
    ids: new Set(securables.map((each) => each.id)),
  });
  const own = rows.find(({ favorite, user_id: owner }) => favorite && owner === userId);
  return {
    favorites: own && shown(own),
    others: rows.filter(({ favorite }) => !favorite).map(shown),
  };
}

/** Adds a record to the reader's favourites, or removes it. Returns the favourites with the change. */
export async function changeFavorite(
  api: Api,
  { favorites, others }: Collections,
  id: string,
): Promise<Collections> {
  const isFavorite = favorites?.ids.has(id) === true;
  const collection = favorites ?? (await createFavorites(api));
  const target = { role: "Securables", id };
  if (isFavorite) await api.dissociate("collection", collection.id, target);
  else await api.associate("collection", collection.id, target);
  const ids = new Set(collection.ids);
  if (isFavorite) ids.delete(id);
  else ids.add(id);
  return { favorites: { ...collection, ids }, others };
}

async function createFavorites(api: Api): Promise<Collection> {
  const properties = { name: words.favorites, favorite: true };
  const { id } = await api.create<{ readonly id: string }>("collection", properties);
  return { id, name: words.favorites, ids: new Set() };
}
