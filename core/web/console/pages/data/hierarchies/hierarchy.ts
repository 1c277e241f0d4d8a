/** A text column whose values have labels, colours and levels. */
export interface TextColumn {
  readonly id: string;
  readonly name: unknown;
  readonly type: string;
}

/** A level in the tree of a column's values. */
export interface Level {
  readonly id: string;
  readonly name: unknown;
  readonly level: number;
  readonly color: string | null;
}

/** A value of a column with its label and colour. */
export interface LabelledValue {
  readonly id: string;
  /** The label by language; null for a value without a label. */
  readonly name: unknown;
  readonly color: string | null;
  /** Level in the tree, and the parent values from the top. Both are known only for stored values. */
  readonly level?: number | null;
  readonly trace?: readonly string[] | null;
  /** Number of rows with this value; undefined if they were not counted. */
  readonly count?: number;
}
