/** A record that an event names, as a reader knows it. */
export interface Subject {
  /** The kind of the record, such as "dashboard". */
  readonly kind: string;
  /** Absent for a record that was deleted, that the reader cannot see or that has no name. */
  readonly name?: string;
  /** Absent for a record without a page. */
  readonly address?: string;
}

/** The records and members that a sentence about an event may name. */
export interface Told {
  readonly record: Subject;
  readonly other: Subject | undefined;
  readonly members: string;
  readonly action: string;
}

/** Tells an event after the name of the person who acted, as strings and records in order. */
export type Phrase = (told: Told) => readonly (string | Subject)[];
