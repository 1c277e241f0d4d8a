import type { AwkwardTable } from "../../support/awkward.ts";
import type { Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { connectorSuite } from "../connectorSuite.ts";
import { openFileEngine } from "./fileEngine.ts";

const limits = { years: [1000, 9999] } as const;
const tableCount = rounds({ quick: 1, deep: 8 });

/** Writes separated values; what need not be in quotes is so now and then. */
export function writeDelimited(
  { columns, rows }: AwkwardTable,
  separator: string,
  random: Random,
): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return "";
    const text = String(value);
    const needsQuotes = text === "" || /["\r\n]/.test(text) || text.includes(separator);
    return needsQuotes || random.chance(0.3) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = columns.map(({ id }) => cell(`source.${id}`));
  const end = random.pick(["\n", "\r\n"]);
  const lines = [header, ...rows.map((row) => row.map(cell))].map((cells) => cells.join(separator));
  return lines.join(end) + (random.chance(0.5) ? end : "");
}

connectorSuite(
  "connectors/files with CSV",
  () =>
    openFileEngine({
      ending: "csv",
      limits,
      properties: { separator: "comma" },
      write: (table, random) => writeDelimited(table, ",", random),
    }),
  { tableCount },
);
connectorSuite(
  "connectors/files with TSV in UTF-16",
  () =>
    openFileEngine({
      ending: "tsv",
      limits,
      properties: { encoding: "utf-16" },
      write: (table, random) =>
        Buffer.from(`\ufeff${writeDelimited(table, "\t", random)}`, "utf16le"),
    }),
  { tableCount: tableCount / 2 },
);
