import * as assert from "uvu/assert";
import { instantFormat } from "../../../../core/exports/instantFormat.ts";
import { writeCsv } from "../../../../core/exports/formats/writeCsv.ts";
import type { TableColumn } from "../../../../core/queries/index.ts";
import { suite } from "../../../support/suite.ts";

/** Creates a text column. */
function columnOf(name: string, texts: readonly string[]): TableColumn {
  const read = (row: number) => texts[row] ?? null;
  return { type: "text", name, text: read, id: read, number: () => NaN } as unknown as TableColumn;
}

suite("core/exports/formats/writeCsv", (test) => {
  const written = (name: string, texts: readonly string[], isRaw = false): string =>
    [
      ...writeCsv(
        { columns: [columnOf(name, texts)], rowCount: texts.length },
        { isRaw, instants: instantFormat("UTC") },
      ),
    ]
      .join("")
      .slice(isRaw ? 0 : 1);
  /** Returns the first cell of a file, without its quotes. */
  const first = (text: string) => text.replace(/\r\n$/, "").replace(/^"(.*)"$/s, "$1");

  for (const text of [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\ttext",
    "\ntext",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(A1)",
    "﹦1",
    "﹢1",
    "﹣1",
    "﹫a",
    " =1",
    "\u00a0=1",
    "\u3000＝1",
    "\u200b=1",
    "\ufeff=1",
    " \t -1",
  ])
    test(`${JSON.stringify(text)} gets a leading apostrophe in the cells and header of csv, but not of csv-raw`, () => {
      assert.is(first(written(text, [])), `'${text}`);
      const [, cell = ""] = written("n", [text]).split(/(?<=^n\r\n)/);
      assert.is(first(cell), `'${text}`);
      assert.is(first(written(text, [], true)), text);
    });

  for (const text of ["a=1", "1-1", "x@example.org", "|x", "%x", "'=1", "−1", "漢＝1", " a"])
    test(`${JSON.stringify(text)} is written to CSV unchanged`, () => {
      assert.is(first(written(text, [])), text);
    });
});
