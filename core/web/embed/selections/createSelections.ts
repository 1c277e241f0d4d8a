/** The selection made in one source: an item, a filter control or the page. */
export interface Clause {
  /** Filters in the format of the data service. Rows must pass all of them. */
  readonly where: readonly object[];
  /** Ids of the datasets whose items the clause filters. */
  readonly datasetIds: ReadonlySet<string>;
  /** The selection in words, for its chip. */
  readonly label: string;
}

/** The selections of a dashboard: one clause per source. A clause does not filter its own source. */
export interface Selections {
  /** Replaces the clause of a source; undefined removes it. */
  set(source: string, clause: Clause | undefined): void;
  get(source: string): Clause | undefined;
  /**
   * Returns the filters that apply to an item. The filters include neither the item's own clause nor the clause of the
   * source `without`.
   */
  whereFor(itemId: string, datasetIds: readonly string[], without?: string): object[];
  entries(): readonly (readonly [source: string, clause: Clause])[];
}

/**
 * Creates the selections of a dashboard with the cross-filter semantics of Mosaic (`Selection.crossfilter`): every
 * clause filters all items except its own.
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
