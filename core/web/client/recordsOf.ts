const defaultPageLength = 500;

/** Yields the records that match `find`, page by page. `get` requests a page. */
export async function* recordsOf<Row>(
  find: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  get: (page: object) => Promise<{ readonly count: number; readonly rows: readonly Row[] }>,
): AsyncGenerator<Row, void, undefined> {
  const { limit = defaultPageLength } = find;
  for (let offset = find.offset ?? 0; ;) {
    const { count, rows } = await get({ ...find, limit, offset });
    yield* rows;
    offset += rows.length;
    if (rows.length === 0 || offset >= count) return;
  }
}
