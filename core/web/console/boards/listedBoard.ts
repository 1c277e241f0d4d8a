import { searchOf, type Api, type Found } from "../api/index.ts";
import { textOf } from "../language/index.ts";
import { titlesIn } from "./titlesIn.ts";

/** A dashboard of a list. */
export interface ListedBoard {
  readonly id: string;
  readonly name: unknown;
  readonly modified_at: string;
  readonly owner_id: string;
  readonly owner?: { readonly name: string | null; readonly email: string } | null;
  readonly tags?: readonly { readonly id: string; readonly tag: string }[];
}

/** The order of a list of dashboards. */
export type BoardOrder = "changed" | "created" | "name";

export interface BoardSearch {
  readonly text: string;
  readonly order: BoardOrder;
  /** Ids of the only dashboards to list. Absent: all. */
  readonly ids?: readonly string[] | undefined;
  /** Id of the user whose dashboards are listed. Absent: everyone's. */
  readonly ownerId?: string | undefined;
}

export interface BoardPage {
  readonly offset: number;
  readonly limit: number;
}

const orders: Readonly<Record<BoardOrder, readonly [string, string]>> = {
  changed: ["modified_at", "desc"],
  created: ["created_at", "desc"],
  name: ["name", "asc"],
};

/** Maximum number of dashboards whose charts are searched, and of columns and tags that match a search. */
const mostSearched = 200;

/**
 * Fetches dashboards that the reader can see. A search finds names, descriptions, tags, titles of charts, and columns
 * of the datasets that the charts use.
 */
export async function readBoards(
  api: Api,
  search: BoardSearch,
  { offset, limit }: BoardPage,
  signal?: AbortSignal,
): Promise<Found<ListedBoard>> {
  const { text, order, ids, ownerId } = search;
  const keyphrase = text.trim();
  const found =
    keyphrase === ""
      ? undefined
      : {
          or: [
            ...["name", "description", "subtitle"].map((member) => ({
              [member]: { like: `%${keyphrase.replaceAll(/[%_]/g, "_")}%` },
            })),
            { id: { in: await idsOfSearch(api, keyphrase, signal) } },
          ],
        };
  const find = {
    where: {
      type: "dashboard",
      is_variant: false,
      ...(ids && { id: { in: ids } }),
      ...(ownerId !== undefined && { owner_id: ownerId }),
      ...(found && { and: [found] }),
    },
    attributes: ["id", "name", "modified_at", "owner_id"],
    include: [
      { model: "User", as: "Owner", attributes: ["id", "name", "email"] },
      { model: "Tag", attributes: ["id", "tag"] },
    ],
    order: [orders[order]],
    limit,
    offset,
  };
  return api.get<ListedBoard>("securable", find, { signal });
}

/** Returns the ids of dashboards whose tags, titles of charts or columns contain a text. */
async function idsOfSearch(
  api: Api,
  text: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const options = { signal };
  const [tags, contents, columns] = await Promise.all([
    api.get<{ readonly securables?: readonly { readonly id: string }[] }>(
      "tag",
      {
        search: { keyphrase: text, match_types: ["tag"] },
        include: [{ model: "Securable", attributes: ["id"] }],
        limit: mostSearched,
      },
      options,
    ),
    api.get<{ readonly id: string; readonly contents: unknown }>(
      "securable",
      {
        where: { type: "dashboard", is_variant: false },
        search: { keyphrase: text, match_types: ["contents"] },
        attributes: ["id", "contents"],
        order: [["modified_at", "desc"]],
        limit: mostSearched,
      },
      options,
    ),
    api.get<{ readonly securable_id: string }>(
      "column",
      { ...searchOf(text), attributes: ["securable_id"], limit: mostSearched },
      options,
    ),
  ]);
  const datasetIds = [...new Set(columns.rows.map((column) => column.securable_id))];
  const users =
    datasetIds.length === 0
      ? []
      : (
          await api.get<{ readonly dashboards?: readonly { readonly id: string }[] }>(
            "securable",
            {
              where: { type: "dataset", id: { in: datasetIds } },
              attributes: ["id"],
              include: [{ model: "Securable", as: "Dashboards", attributes: ["id"] }],
              limit: mostSearched,
            },
            options,
          )
        ).rows;
  const needle = text.toLocaleLowerCase();
  return [
    ...new Set([
      ...tags.rows.flatMap(({ securables = [] }) => securables.map(({ id }) => id)),
      ...contents.rows.flatMap(({ id, contents: stored }) =>
        titlesIn(stored).some((title) => title.text.toLocaleLowerCase().includes(needle))
          ? [id]
          : [],
      ),
      ...users.flatMap(({ dashboards = [] }) => dashboards.map(({ id }) => id)),
    ]),
  ];
}

/** Returns the name of a dashboard; its id if it has none. */
export const nameOfBoard = ({ id, name }: Pick<ListedBoard, "id" | "name">): string =>
  textOf(name) || id;
