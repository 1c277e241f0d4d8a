import type { ByteSource } from "../../../../plugins/rows/formats/byteSource.ts";
import { columnForms } from "../../../../plugins/rows/formats/columnForms.ts";
import {
  describeTable,
  type DescribedTable,
} from "../../../../plugins/rows/formats/describeTable.ts";
import { textOfNote } from "../../../../plugins/rows/formats/fileNote.ts";
import type { OpenTables } from "../../../../plugins/rows/formats/fileTable.ts";
import { formatNamed } from "../../../../plugins/rows/formats/formats.ts";
import { readSettings, type GivenSettings } from "../../../../plugins/rows/formats/settings.ts";
import { createUnpackBudget } from "../../../../plugins/rows/formats/unpackBudget.ts";
import type { Remedy } from "../../../../plugins/rows/remedy.ts";
import { readValue } from "../../../../plugins/rows/readValue.ts";

/** The first table of a file: its description and its rows. */
export interface ReadTable extends Omit<DescribedTable, "notes"> {
  readonly notes: readonly string[];
  /** The proposals of the notes. */
  readonly remedies: readonly Remedy[];
  /** Cells as they are read: numbers, strings, ISO instants and nulls. */
  readonly cells: readonly (readonly unknown[])[];
}

/**
 * Opens a file in this process, describes its first table, and reads the rows with the types of the description. Files
 * of other tests are read by a separate process.
 */
export async function readFirstTable(
  bytes: Uint8Array,
  { format, open }: { readonly format: string; readonly open: OpenTables },
  properties: GivenSettings = {},
): Promise<ReadTable> {
  const { signal } = new AbortController();
  const source: ByteSource = {
    sizeBytes: bytes.length,
    async *stream() {
      yield bytes;
    },
    read: async (from, to) => bytes.slice(from, to),
    check: async () => undefined,
    close: async () => undefined,
  };
  const settings = readSettings({ properties });
  const options = {
    source,
    format: formatNamed(format),
    settings,
    sampleBytes: Infinity,
    signal,
    budget: createUnpackBudget(() => bytes.length),
  };
  const [table] = await open(options);
  const described = await describeTable(table!, options, () => 0);
  const forms = described.columns.map(({ subtype }, index) => {
    const column = table!.columns[index]!;
    return columnForms({ ...column, ...(subtype && { subtype }) }, settings);
  });
  const cells: unknown[][] = [];
  const wanted = described.columns.map((_, index) => index);
  for await (const { rows } of table!.rows(wanted, [], signal))
    for (const row of rows)
      cells.push(
        described.columns.map(({ type }, index) => {
          const cell = readValue(row[index], type, forms[index]!);
          return type === "datetime" && typeof cell === "number"
            ? new Date(cell).toISOString()
            : cell;
        }),
      );
  return {
    ...described,
    notes: described.notes.map(textOfNote),
    remedies: described.notes.flatMap(({ remedies = [] }) => remedies),
    cells,
  };
}
