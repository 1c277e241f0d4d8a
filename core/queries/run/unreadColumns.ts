import type { Query } from "../../../plugins/protocol/index.ts";
import type { Residual } from "../queryPlan.ts";

/**
 * Lists the columns of a query of plain rows that the host does not read. It requests them only because the plugin
 * sends all columns of a dataset. Undefined if the host reads all columns.
 */
export function unreadColumns(
  { columns }: Pick<Query, "columns">,
  { vectors }: Pick<Residual, "vectors">,
): readonly string[] | undefined {
  const read = new Set(vectors);
  const unread = columns.filter((_, index) => !read.has(index));
  return unread.length > 0 ? unread.map(({ column_id }) => column_id) : undefined;
}
