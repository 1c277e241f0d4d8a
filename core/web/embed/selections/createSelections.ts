/** The selection of one source: an item, a filter control, or the page. */
export interface Clause {
  /** Filters in the words of the data service; all must hold. */
  readonly where: readonly object[];
  /** Datasets whose items it filters. */
  readonly datasetIds: ReadonlySet<string>;
  /** The selection in words. */
  readonly label: string;
}

/** The selections of a dashboard: one clause for each source, which is not applied to its own source. */
export interface Selections {
  /** Replaces the clause of a source; undefined removes it. */
  set(source: string, clause: Clause | undefined): void;
  get(source: string): Clause | undefined;
  /** Returns the filters for an item, which is also a source; `without` leaves another source out. */
  whereFor(itemId: string, datasetIds: readonly string[], without?: string): object[];
  entries(): readonly (readonly [source: string, clause: Clause])[];
}

/**
 * Makes the selections of a dashboard, with the semantics of cross-filtering in Mosaic (`Selection.crossfilter`): an
 * item is filtered by all clauses but its own.
 */
export function createSelections(): Selections {
  const clauses = new Map<string, Clause>();
  return {
    set(source, clause) {
      if (clause && clause.where.length > 0) clauses.set(source, clause);
      else clauses.delete(source);
    },
    get: (source) => clauses.get(source),
    whereFor: (itemId, datasetIds, without) =>
      [...clauses].flatMap(([source, { where, datasetIds: filtered }]) =>
        source !== itemId && source !== without && datasetIds.some((id) => filtered.has(id))
          ? where
          : [],
      ),
    entries: () => [...clauses],
  };
}
