import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook with one sheet, as Excel writes them. */
const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${sheetType}.sharedStrings+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Facts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet ${main}><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};
const names = "id,region,shop,item,pieces,price,weight,score,at,day".split(",");
const itemCount = 50_000;

/**
 * Writes a workbook as Excel does: shared strings, numbers, dates as numbers with a date format, and a reference in
 * every cell. A million rows are about 90 MB.
 */
export async function writeLargeWorkbook(path: string, rowCount: number): Promise<void> {
  const shared = [
    ...names,
    ...Array.from({ length: 5 }, (_, at) => `region_${at}`),
    ...Array.from({ length: 1000 }, (_, at) => `shop ${at}`),
    ...Array.from({ length: itemCount }, (_, at) => `Item ${at} &amp; more`),
  ];
  const [regions, shops, items] = [names.length, names.length + 5, names.length + 1005];
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(head + text), name);
  const strings = shared.map((text) => `<si><t>${text}</t></si>`).join("");
  zip.addBuffer(
    Buffer.from(`${head}<sst ${main} count="${shared.length}">${strings}</sst>`),
    "xl/sharedStrings.xml",
  );
  zip.addReadStream(
    Readable.from(sheet(), { objectMode: false, highWaterMark: 2 ** 18 }),
    "xl/worksheets/sheet1.xml",
    { compressionLevel: 3 },
  );
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));

  function* sheet(): Generator<Buffer> {
    const header = names.map((_, at) => `<c r="${"ABCDEFGHIJ"[at]}1" t="s"><v>${at}</v></c>`);
    let chunk = `${head}<worksheet ${main}><sheetData><row r="1" spans="1:10">${header.join("")}</row>`;
    for (let n = 1; n <= rowCount; n++) {
      const row = n + 1;
      const score = n % 50 === 0 ? "" : `<c r="H${row}"><v>${n % 977}</v></c>`;
      chunk +=
        `<row r="${row}" spans="1:10"><c r="A${row}"><v>${n}</v></c>` +
        `<c r="B${row}" t="s"><v>${regions + ((n * 7919) % 5)}</v></c>` +
        `<c r="C${row}" t="s"><v>${shops + ((n * 104_729) % 1000)}</v></c>` +
        `<c r="D${row}" t="s"><v>${items + ((n * 15_485) % itemCount)}</v></c>` +
        `<c r="E${row}"><v>${(n * 31) % 1000}</v></c><c r="F${row}"><v>${((n * 17) % 100_000) / 100}</v></c>` +
        `<c r="G${row}"><v>${Math.sqrt(n)}</v></c>${score}` +
        `<c r="I${row}" s="2"><v>${43_831 + (n * 7) / 86_400}</v></c><c r="J${row}" s="1"><v>${43_831 + (n % 1500)}</v></c></row>`;
      if (chunk.length < 2 ** 16) continue;
      yield Buffer.from(chunk);
      chunk = "";
    }
    yield Buffer.from(`${chunk}</sheetData></worksheet>`);
  }
}
