import type { Client } from "manifold/client";

/** The ids of a dataset's columns by their source names. */
export type ColumnIds = Readonly<Record<string, string>>;

/** Reads the columns of a dataset. */
export async function columnsOf(client: Client, datasetId: string): Promise<ColumnIds> {
  const { rows } = await client.get<{ rows: { columns: { id: string; source_name: string }[] }[] }>(
    "securable",
    {
      where: { id: datasetId },
      include: [{ model: "Column", attributes: ["id", "source_name"] }],
    },
  );
  return Object.fromEntries(
    (rows[0]?.columns ?? []).map((column) => [column.source_name, column.id]),
  );
}
