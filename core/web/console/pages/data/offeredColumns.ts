import { html } from "lit";
import { textOf, writeNumber } from "../../language/index.ts";
import { checkIcon, type TableColumn } from "../../parts/index.ts";
import { connectWords as words } from "./connectWords.ts";
import { words as pageWords } from "./words.ts";

/** A table that a source offers, with its columns. */
export interface Offered {
  readonly id: string;
  readonly name: string;
  readonly schema: string | null;
  readonly table: string;
  readonly type: string;
  readonly columns: readonly { readonly id: string; readonly name: unknown }[];
  readonly notes?: readonly string[];
}
const oneOf: Readonly<Record<string, string>> = words.oneOfKind;

/**
 * Returns the columns of the list of tables. Two columns show whether a table is chosen, and which dataset
 * already queries it.
 */
export function offeredColumns(
  chosen: ReadonlySet<string>,
  datasetOf: ReadonlyMap<string | null, string>,
): readonly TableColumn<Offered>[] {
  return [
    {
      label: words.chosen,
      width: "80px",
      cell: ({ id }) =>
        chosen.has(id)
          ? html`<span class="badge good">${checkIcon}</span
              ><span class="visually-hidden">${words.chosen}</span>`
          : "",
    },
    { label: pageWords.name, width: "minmax(180px, 3fr)", cell: ({ name }) => name },
    { label: words.schema, width: "minmax(90px, 1fr)", cell: ({ schema }) => schema ?? "–" },
    { label: words.kind, width: "80px", cell: ({ type }) => oneOf[type] ?? type },
    {
      label: words.columns,
      width: "minmax(120px, 2fr)",
      cell: ({ columns, notes }) =>
        columns.length === 0
          ? html`<span class="badge warn" title=${notes?.join(" ") ?? ""}>${words.unread}</span>`
          : `${writeNumber(columns.length)}: ${columns
              .slice(0, 6)
              .map(({ name, id }) => textOf(name) || id)
              .join(", ")}`,
    },
    {
      label: words.datasets,
      width: "100px",
      cell({ id }) {
        const dataset = datasetOf.get(id);
        return dataset === undefined
          ? ""
          : html`<a href="/data/${dataset}" tabindex="-1">${words.made}</a>`;
      },
    },
  ];
}
