/** How a sentence names a kind of record. */
export interface Noun {
  /** The kind before the name of a record, such as "dashboard"; "" for people, whose names need no kind. */
  readonly named: string;
  /** A record without a name, such as "a dashboard". */
  readonly some: string;
  /** What leads from a record to the record that it is about: "to" in "a private link to dashboard Sales". */
  readonly of?: string;
}

/** A record that an event names, as a reader knows it. */
export interface Subject {
  readonly noun: Noun;
  /** Absent for a record that was deleted, that the reader cannot see or that has no name. */
  readonly name?: string;
  /** Absent for a record without a page. */
  readonly address?: string;
  /** The named record that this one is about, such as the dashboard of a private link. */
  readonly about?: Subject;
}

/** What happened, after the name of the person who acted: strings and records in order. */
export type Parts = readonly (string | Subject)[];
