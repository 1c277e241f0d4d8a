import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { instantFormat } from "../../../../core/exports/instantFormat.ts";
import { writeXlsx } from "../../../../core/exports/formats/writeXlsx.ts";
import { TimeSlices } from "../../../../core/base/process/index.ts";
import type { TableColumn } from "../../../../core/queries/index.ts";
import { suite } from "../../../support/suite.ts";

const run = promisify(execFile);
const isInstalled = spawnSync("soffice", ["--version"]).error === undefined;

const cells: readonly (readonly [string | null, number])[] = [
  ["north", 1.5],
  ["=1+1", -2],
  ['a "quoted", text', 4e15],
  ["<b>&ë 漢 😀", 0.1],
  ["  spaces ", 0],
  ["1e5", 12_345.678],
  [null, -0.25],
];

suite(
  "core/exports/formats, opened by LibreOffice",
  (test) => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-office-"));
    test.after(() => rmSync(folder, { recursive: true, force: true }));

    test.deep(
      "LibreOffice reads the cells of an XLSX sheet, and evaluates none of them as a formula",
      async () => {
        const slices = new TimeSlices();
        const column = (name: string, more: Partial<TableColumn>): TableColumn => ({
          name,
          type: "text",
          isDate: false,
          number: () => Number.NaN,
          text: () => null,
          id: () => null,
          ...more,
        });
        const text = (row: number) => cells[row]![0];
        const number = (row: number) => cells[row]![1];
        const table = {
          rowCount: cells.length,
          warnings: [],
          columns: [column("name", { text, id: text }), column("km", { type: "number", number })],
          inSlices: <Chunk>(chunks: Iterator<Chunk | undefined, void>) =>
            slices.each({ organization: "o", user: "u" }, chunks),
        };
        const parts: Uint8Array[] = [];
        const options = { isRaw: false, instants: instantFormat("UTC") };
        for await (const chunk of writeXlsx(table, options)) parts.push(chunk);
        const file = join(folder, "cells.xlsx");
        writeFileSync(file, Buffer.concat(parts));
        await run("soffice", [
          `-env:UserInstallation=file://${join(folder, "profile")}`,
          "--headless",
          "--convert-to",
          // LibreOffice writes CSV with tabs between cells, with quotes, in UTF-8, and with numbers as they are stored
          // instead of as they are displayed.
          "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,false,false",
          "--outdir",
          folder,
          file,
        ]);
        const lines = readFileSync(join(folder, "cells.csv"), "utf8").trimEnd().split("\n");
        const expected = cells.map(([name, km]) => {
          const quoted = name === null ? "" : `"${name.replaceAll('"', '""')}"`;
          return `${quoted}\t"${km}"`;
        });
        assert.equal(lines, ['"name"\t"km"', ...expected]);
      },
    );
  },
  isInstalled ? {} : { missing: "LibreOffice (libreoffice-calc of Debian)" },
);
