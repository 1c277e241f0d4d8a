/** A text column whose values have labels, colours and levels. */
export interface TextColumn {
  readonly id: string;
  readonly name: unknown;
  readonly type: string;
}

/** A level of the tree of a column. */
export interface Level {
  readonly id: string;
  readonly name: unknown;
  readonly level: number;
  readonly color: string | null;
}

/** A value of a column as it is shown. */
export interface LabelledValue {
  readonly id: string;
  /** Null for a value that has no label. */
  readonly name: unknown;
  readonly color: string | null;
  /** Its level in the tree, and the values above it from the top; known of stored values alone. */
  readonly level?: number | null;
  readonly trace?: readonly string[] | null;
  /** How many rows have it; undefined when they were not counted. */
  readonly count?: number;
}
