/** An event that the options of an item define, and the mark on which the reader chose it. */
export interface CustomEventDetail {
  readonly itemId: string;
  /** Name of the event. */
  readonly name: string;
  /** The mark, as the reader sees it. */
  readonly mark: { readonly category: string; readonly series: string; readonly value: string };
  /** The values of the mark's row; empty for a mark that combines several rows. */
  readonly values: readonly MarkValue[];
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
