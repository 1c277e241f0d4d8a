import type { Client } from "@manifold-analytics/client";

/** The ids of a dataset's columns, keyed by their names: in the source, or of a computed column. */
export type ColumnIds = Readonly<Record<string, string>>;

interface Column {
  readonly id: string;
  readonly name: { readonly en?: string };
  readonly source_name: string | null;
}

/** Fetches the ids of a dataset's columns from the host. */
export async function columnsOf(client: Client, datasetId: string): Promise<ColumnIds> {
  const { rows } = await client.get<{ rows: { columns: Column[] }[] }>("securable", {
    where: { id: datasetId },
    include: [{ model: "Column", attributes: ["id", "name", "source_name"] }],
  });
  return Object.fromEntries(
    (rows[0]?.columns ?? []).map(({ id, name, source_name }) => [source_name ?? name.en, id]),
  );
}
