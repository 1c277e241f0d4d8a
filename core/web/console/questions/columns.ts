import type { Api } from "../api/index.ts";
import { clockIcon } from "../parts/index.ts";
import { textOf } from "../language/index.ts";
import { loadFilterWords } from "./loadFilterWords.ts";

/** A column of the dataset that is open in Explore, in the form in which a search returns it. */
export interface ExploredColumn {
  readonly id: string;
  readonly name: unknown;
  readonly description: unknown;
  readonly type: "numeric" | "hierarchy" | "datetime";
  readonly subtype: string | null;
  readonly format: string | null;
  readonly expression: string | null;
  readonly lowestLevel: number;
  readonly minimum: unknown;
  readonly maximum: unknown;
  readonly aggregation_type: string | null;
  readonly order: number;
}

/** A dataset with the columns that the reader can see. */
export interface ExploredDataset {
  readonly id: string;
  readonly name: unknown;
  readonly rows: number | null;
  readonly storage: string | null;
  readonly columns: readonly ExploredColumn[];
}

const attributes = [
  "id",
  "name",
  "description",
  "type",
  "subtype",
  "format",
  "expression",
  "lowestLevel",
  "minimum",
  "maximum",
  "aggregation_type",
  "order",
];

/**
 * Fetches a dataset with the columns that the reader can see, and the words in which its filters are described.
 * Undefined if the dataset does not exist.
 */
export async function readDataset(
  api: Pick<Api, "get">,
  id: string,
  signal?: AbortSignal,
): Promise<ExploredDataset | undefined> {
  const find = {
    where: { id, type: "dataset" },
    attributes: ["id", "name", "rows", "storage"],
    include: [{ model: "Column", attributes, where: { hidden: false } }],
  };
  const [{ rows }] = await Promise.all([
    api.get<ExploredDataset & { readonly columns: ExploredColumn[] }>("securable", find, {
      signal,
    }),
    loadFilterWords(),
  ]);
  const [found] = rows;
  return (
    found && { ...found, columns: found.columns.toSorted((one, other) => one.order - other.order) }
  );
}

/** Returns the readable name of a record; the id if the record has no name. */
export const nameOf = ({ name, id }: { readonly name: unknown; readonly id: string }): string =>
  textOf(name) || id;

/** Kinds of columns, in the order in which the list shows them. */
export const kinds = ["datetime", "hierarchy", "numeric"] as const;

/** The symbol of each kind of column: an icon or a short string. */
export const signOf = { datetime: clockIcon, hierarchy: "Aa", numeric: "#" } as const;
