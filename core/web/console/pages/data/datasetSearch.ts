import { searchOf, type Api } from "../../api/index.ts";

const mostFound = 500;

/**
 * Returns the condition of a search for datasets: a name, a description, a tag or a column contains the text. Undefined
 * for an empty text.
 */
export async function datasetSearch(
  api: Api,
  text: string,
  signal?: AbortSignal,
): Promise<object | undefined> {
  const keyphrase = text.trim();
  if (keyphrase === "") return undefined;
  const [columns, tags] = await Promise.all([
    api.get<{ readonly securable_id: string }>(
      "column",
      { ...searchOf(keyphrase), attributes: ["securable_id"], limit: mostFound },
      { signal },
    ),
    api.get<{ readonly securables?: readonly { readonly id: string }[] }>(
      "tag",
      {
        search: { keyphrase, match_types: ["tag"] },
        include: [{ model: "Securable", attributes: ["id"] }],
        limit: mostFound,
      },
      { signal },
    ),
  ]);
  const ids = new Set([
    ...columns.rows.map((column) => column.securable_id),
    ...tags.rows.flatMap(({ securables = [] }) => securables.map(({ id }) => id)),
  ]);
  const contains = { like: `%${keyphrase.replaceAll(/[%_]/g, "_")}%` };
  return { or: [{ name: contains }, { description: contains }, { id: { in: [...ids] } }] };
}
