/** An event that the options of an item define, and the mark on which the reader chose it. */
export interface CustomEventDetail {
  readonly itemId: string;
  /** Name of the event. */
  readonly name: string;
  /** The mark, as the reader sees it. */
  readonly mark: { readonly category: string; readonly series: string; readonly value: string };
  /** The values of the mark's row; empty for a mark that combines several rows. */
  readonly values: readonly MarkValue[];
  /**
   * Values of other columns for the rows of the mark. Absent if the options name no columns, if filters cannot name the
   * mark, and if the host does not answer; then an event `error` says why.
   */
  readonly extraData?: ExtraData;
}

/** Values of the columns and formulas that the options of an item name, for the rows of a mark. */
export interface ExtraData {
  /** Columns without an aggregation first. */
  readonly columns: readonly {
    readonly name: string;
    readonly datasetId?: string;
    readonly columnId?: string;
    readonly formulaId?: string;
  }[];
  /** At most 100 rows, with a cell per column. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Whether there are no further rows. */
  readonly isComplete: boolean;
}

/** A value of a mark, as the host sent it. */
export interface MarkValue {
  readonly slot: string;
  readonly datasetId?: string;
  readonly columnId?: string;
  readonly formulaId?: string;
  readonly name: string;
  readonly value: string | number | null;
}
