import { strFromU8, unzipSync } from "fflate";
import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { instantFormat } from "../../../../core/exports/instantFormat.ts";
import { readItem } from "../../../../core/web/charts/index.ts";
import { sheetLookOf } from "../../../../core/exports/formats/sheetLook.ts";
import type { TableTotals } from "../../../../core/exports/formats/tableTotals.ts";
import { writeXlsx } from "../../../../core/exports/formats/writeXlsx.ts";
import { TimeSlices } from "../../../../core/base/process/index.ts";
import type { AnsweredTable, TableColumn } from "../../../../core/queries/index.ts";
import { suite } from "../../../support/suite.ts";

const rows = [
  ["north", 12.5, 0.25],
  ["south", null, 0.5],
  ["west", -3, null],
] as const;

function tableOf(): AnsweredTable {
  const slices = new TimeSlices();
  const columns = ["place", "km", "share"].map((name, cell): TableColumn => {
    const text = (row: number) => {
      const value = rows[row]?.[cell];
      return value === null || value === undefined ? null : String(value);
    };
    const number = (row: number) => {
      const value = rows[row]?.[cell];
      return typeof value === "number" ? value : Number.NaN;
    };
    return { name, type: cell === 0 ? "text" : "number", isDate: false, number, text, id: text };
  });
  const tenant = { organization: "o", user: "u" };
  return {
    rowCount: rows.length,
    warnings: [],
    columns,
    inSlices: (chunks) => slices.each(tenant, chunks),
  };
}

const content = (columnId: string, type: string, format?: string) => ({
  columnId,
  datasetId: "d",
  type,
  ...(type === "numeric" && { aggregationFunc: "sum" }),
  ...(format !== undefined && { format }),
});
const itemOf = (options: object, formats: readonly (string | undefined)[] = [",.1f", ".0%"]) =>
  readItem({
    type: "regular-table",
    options,
    slots: [
      {
        name: "columns",
        content: [
          content("place", "hierarchy"),
          content("km", "numeric", formats[0]),
          content("share", "numeric", formats[1]),
        ],
      },
    ],
  });

async function written(item: ReturnType<typeof readItem> | undefined, totals?: TableTotals) {
  const chunks: Uint8Array[] = [];
  const look = item && sheetLookOf(item, "en");
  const options = { isRaw: false, instants: instantFormat("UTC"), look, totals };
  for await (const chunk of writeXlsx(tableOf(), options)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const parts = unzipSync(bytes);
  const partOf = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  return { bytes, sheet: partOf("xl/worksheets/sheet1.xml"), styles: partOf("xl/styles.xml") };
}

suite("core/exports/formats/sheetLook", (test) => {
  test("numbers in a sheet stay numbers, in their column's format if Excel supports it", async () => {
    const { bytes, sheet, styles } = await written(itemOf({}));
    assert.match(styles, 'formatCode="#,##0.0"');
    assert.match(styles, 'formatCode="0%"');
    assert.match(sheet, '<c r="B2" s="5"><v>12.5</v></c><c r="C2" s="6"><v>0.25</v></c>');
    const cells = (await readSheet(bytes)).slice(1);
    assert.equal(
      cells,
      rows.map((row) => [...row]),
    );
    const other = await written(itemOf({}, ["$.3s", '"><x>%']));
    assert.match(other.sheet, '<c r="B2"><v>12.5</v></c>');
    assert.not.match(other.styles, "<x>");
  });

  test("currencies and dates have the formats of their columns, in the language of the file", () => {
    const field = (type: string, more: object) => ({ ...content("c", type), ...more });
    const formatsIn = (localeId: string, ...fields: readonly object[]) =>
      sheetLookOf(
        readItem({ type: "regular-table", slots: [{ name: "columns", content: fields }] }),
        localeId,
      ).columns.map(({ numberFormat }) => numberFormat);
    const euro = field("numeric", { format: ",.2f", currency: "EUR" });
    assert.equal(formatsIn("de-DE", euro), ["#,##0.00\\ [$€]"]);
    assert.equal(formatsIn("en-GB", euro), ["[$€]#,##0.00"]);
    assert.equal(formatsIn("en-GB", { ...euro, currency: '"<&]' }), ["[$<&]#,##0.00"]);
    const dates = ["%d-%m-%Y %H:%M:%S", "%-d %b %Y", "%M:%S", "%Q"].map((format) =>
      field("datetime", { format }),
    );
    assert.equal(formatsIn("en", ...dates), [
      "dd\\-mm\\-yyyy\\ hh:mm:ss",
      "d\\ mmm\\ yyyy",
      undefined,
      undefined,
    ]);
    assert.equal(formatsIn("en", field("datetime", { level: 1 })), ["yyyy"]);
  });

  test("color ranges become conditional formats in descending order, and empty cells get no color", async () => {
    const conditional = [
      { val: 10, color: "#c0362c" },
      { isNegativeInfinityRange: true, color: "#cfe8d8" },
    ];
    const columns = [{ slotContentId: "km", mode: "conditionalBackground", conditional }];
    const { bytes, sheet, styles } = await written(itemOf({ columns }));
    const rules = [...sheet.matchAll(/<cfRule [^>]*dxfId="(\d)"[^>]*>(?:<formula>)([^<]*)</g)];
    assert.equal(
      rules.map(([, look, formula]) => [look, formula]),
      [
        ["1", "AND(ISNUMBER(B2),B2&gt;=10)"],
        ["0", "AND(ISNUMBER(B2))"],
      ],
    );
    assert.match(sheet, 'sqref="B2:B4"');
    assert.match(styles, '<dxfs count="2"><dxf><font><color rgb="FF14161A"/></font>');
    assert.match(styles, '<bgColor rgb="FFC0362C"/>');
    assert.is((await readSheet(bytes)).length, 4);
  });

  test("a sheet keeps its table's bars and pinned columns, and its header stays visible", async () => {
    const { sheet } = await written(
      itemOf({ pinnedColumns: 1, columns: [{ slotContentId: "share", mode: "bar" }] }),
    );
    assert.match(
      sheet,
      '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>',
    );
    assert.match(sheet, /sqref="C2:C4"><cfRule type="dataBar".*<color rgb="FF[\dA-F]{6}"\/>/);
    const all = await written(itemOf({ pinnedColumns: 1e9 }));
    assert.match(all.sheet, 'xSplit="2"');
  });

  test("totals in a sheet are bold, pinned below the header, in their column's format and without range colors", async () => {
    const [, km] = tableOf().columns;
    const { sheet, styles } = await written(
      itemOf({ columns: [{ slotContentId: "km", mode: "bar" }] }),
      { word: "Total", columns: [undefined, km, undefined] },
    );
    assert.match(sheet, '<pane ySplit="2" topLeftCell="A3"');
    const total =
      '<row r="2"><c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">Total</t></is></c>';
    assert.match(sheet, `${total}<c r="B2" s="8"><v>12.5</v></c></row><row r="3">`);
    assert.match(styles, 'fontId="1" applyFont="1" applyNumberFormat="1"/>');
    assert.match(sheet, 'sqref="B3:B5"');
  });

  test("a query without an item or with invalid options of its item produces a plain sheet", async () => {
    const plain = await written(undefined);
    assert.match(plain.sheet, '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft"');
    assert.not.match(plain.sheet, "conditionalFormatting");
    const hostile = { pinnedColumns: "<x>", columns: [{ slotContentId: "km", mode: "<x>" }] };
    const { sheet } = await written(itemOf(hostile, [undefined, undefined]));
    assert.is(sheet, plain.sheet);
  });
});
