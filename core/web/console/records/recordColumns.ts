import { html } from "lit";
import { textOf, writeInstant } from "../language/index.ts";
import { type TableColumn } from "../parts/index.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name?: unknown;
}

/** Returns the name of a record, or its id if it has no name. */
export const nameOfRecord = ({ name, id }: Named): string => textOf(name) || id;

/** Returns the column of names. Each name links to its record, whose address is `path` followed by the record's id. */
export const nameColumn = (path: string): TableColumn<Named> => ({
  label: words.name,
  width: "minmax(180px, 3fr)",
  cell: (row) => html`<a href="${path}/${row.id}">${nameOfRecord(row)}</a>`,
});

/** Returns the column of the days on which records were created. */
export const createdColumn = (): TableColumn<{ readonly created_at?: string | null }> => ({
  label: words.created,
  width: "190px",
  cell: ({ created_at: at }) => writeInstant(at),
});
