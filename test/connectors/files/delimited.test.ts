import { rounds } from "../../support/layer.ts";
import { connectorSuite } from "../connectorSuite.ts";
import { openFileEngine } from "./fileEngine.ts";
import { writeDelimited } from "./writeDelimited.ts";

const limits = { years: [1000, 9999] } as const;
const tableCount = rounds({ quick: 1, deep: 4, soak: 8 });

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
