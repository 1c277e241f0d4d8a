import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { instantFormat } from "../../../../core/exports/instantFormat.ts";
import { writeCsv } from "../../../../core/exports/formats/writeCsv.ts";
import { writeXlsx } from "../../../../core/exports/formats/writeXlsx.ts";
import { TimeSlices } from "../../../../core/base/process/index.ts";
import type { AnsweredTable, TableColumn } from "../../../../core/queries/index.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const options = { isRaw: false, instants: instantFormat("UTC") };

function tableOf(values: readonly (string | null)[], rowCount = values.length): AnsweredTable {
  const slices = new TimeSlices();
  const text = (row: number) => {
    const value = values[row % values.length];
    if (value === "fail") throw new Error("the source is gone");
    return value ?? null;
  };
  const column: TableColumn = {
    name: "text",
    type: "text",
    isDate: false,
    number: () => Number.NaN,
    text,
    id: text,
  };
  const tenant = { organization: "o", user: "u" };
  return {
    rowCount,
    warnings: [],
    columns: [column],
    inSlices: (chunks) => slices.each(tenant, chunks),
  };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

suite("core/exports/formats/writeXlsx", (test) => {
  test("strings stay strings in XLSX, even if a spreadsheet would read them as numbers or formulas", async () => {
    const texts = [
      "=SUM(A1)",
      "<a>&\"'",
      "  spaces ",
      "1e5",
      "TRUE",
      "#REF!",
      "漢字 😀",
      null,
      "line\nbreak",
    ];
    const sheet = await readSheet(await bytesOf(writeXlsx(tableOf(texts), options)), {
      trim: false,
    });
    assert.equal(
      sheet.slice(1).map(([cell]) => cell),
      texts,
    );
  });

  test("a table with more rows or longer strings than Excel can read is refused before any byte is written", async () => {
    const rows = await refusal(bytesOf(writeXlsx(tableOf(["a"], 1_048_576), options)));
    assert.is(rows.code, "EXPORT_TOO_LARGE");
    assert.match(rows.message, "a sheet must have at most 1048575");
    const long = await refusal(bytesOf(writeXlsx(tableOf(["a", "x".repeat(32_768)]), options)));
    assert.match(long.message, /32768 characters in "text", row 2/);
  });

  test("writing an XLSX file fails if reading its table fails", async () => {
    const table = tableOf(["a"], 30_000);
    const [column] = table.columns;
    let readCount = 0;
    // The check of string lengths reads the last string before the sheet is written.
    const read = (row: number, most: number): string => {
      if (row === 29_999 && ++readCount > most) throw new Error("the source is gone");
      return `row ${row}`;
    };
    const failing: TableColumn = {
      ...column!,
      text: (row) => read(row, 1),
      id: (row) => read(row, 0),
    };
    const files = [
      bytesOf(writeXlsx({ ...table, columns: [failing] }, options)),
      (async () => {
        const csv = writeCsv(
          { ...table, columns: [{ ...failing }] },
          { isRaw: true, instants: instantFormat("UTC") },
        );
        for (const chunk of csv) assert.ok(chunk.length > 0);
      })(),
    ];
    for (const file of await Promise.allSettled(files)) {
      assert.is(file.status, "rejected");
      if (file.status === "rejected") assert.match(String(file.reason), "the source is gone");
    }
  });

  test("warnings of the answer are in a second sheet, except in files for programs", async () => {
    const table = { ...tableOf(["a"]), warnings: ["1 of 4 rows match no row", "a < b"] };
    const bytes = await bytesOf(writeXlsx(table, options));
    assert.equal(await readSheet(bytes, "Notes"), [["1 of 4 rows match no row"], ["a < b"]]);
    const raw = await bytesOf(writeXlsx(table, { ...options, isRaw: true }));
    await readSheet(raw, 2).then(
      () => assert.unreachable(),
      (failure: unknown) => assert.match(String(failure), /sheet/i),
    );
  });

  test("control characters are escaped as XLSX requires, and a lone surrogate is replaced", async () => {
    const bytes = await bytesOf(
      writeXlsx(tableOf(["a\u0000b\u001b", "\ud800", "_x0041_"]), options),
    );
    const sheet = await readSheet(bytes);
    const [, first, second, third] = sheet.map(([cell]) => String(cell));
    assert.ok(["a_x0000_b_x001B_", "a\u0000b\u001b"].includes(first ?? ""), first);
    assert.is(second, "\ufffd");
    assert.match(third ?? "", /^(_x0041_|_x005F_x0041_)$/);
  });
});
