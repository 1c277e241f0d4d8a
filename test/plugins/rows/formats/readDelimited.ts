import type { ByteSource } from "../../../../plugins/rows/formats/byteSource.ts";
import { columnForms } from "../../../../plugins/rows/formats/columnForms.ts";
import {
  describeTable,
  type DescribedTable,
} from "../../../../plugins/rows/formats/describeTable.ts";
import { formatNamed } from "../../../../plugins/rows/formats/formats.ts";
import { openDelimited } from "../../../../plugins/rows/formats/openDelimited.ts";
import { readSettings, type GivenSettings } from "../../../../plugins/rows/formats/settings.ts";
import { createUnpackBudget } from "../../../../plugins/rows/formats/unpackBudget.ts";
import { readValue } from "../../../../plugins/rows/readValue.ts";

export interface ReadDelimited extends DescribedTable {
  /** Cells as they are read: numbers, strings, ISO instants and nulls. */
  readonly cells: readonly (readonly unknown[])[];
}

/** Describes a CSV file and reads its rows with the types of the description. */
export async function readDelimited(
  text: string | Uint8Array,
  properties: GivenSettings = {},
): Promise<ReadDelimited> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
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
    format: formatNamed("csv"),
    settings,
    sampleBytes: Infinity,
    signal,
    budget: createUnpackBudget(() => bytes.length),
  };
  const [table] = await openDelimited(options);
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
  return { ...described, cells };
}
