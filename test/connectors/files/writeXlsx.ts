import { crc32, deflateRawSync } from "node:zlib";
import type { AwkwardTable } from "../../support/awkward.ts";
import type { Random } from "../../support/random.ts";

/** Writes a table as a workbook with one sheet. Strings are shared or inline. */
export function writeXlsx({ columns, rows }: AwkwardTable, random: Random): Uint8Array {
  const shared: string[] = [];
  const is1904 = random.chance(0.5);
  const textCell = (reference: string, text: string): string => {
    if (random.chance(0.5))
      return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
    shared.push(`<si><t xml:space="preserve">${escaped(text)}</t></si>`);
    return `<c r="${reference}" t="s"><v>${shared.length - 1}</v></c>`;
  };
  const cellOf = (value: string | number | null, column: number, row: number): string => {
    if (value === null) return "";
    const reference = `${letterOf(column)}${row}`;
    const kind = columns[column]!.kind;
    if (row === 1 || kind === "text" || kind === "big" || kind === "decimal")
      return textCell(reference, String(value));
    if (kind !== "datetime" && kind !== "date")
      return `<c r="${reference}"><v>${Number(value)}</v></c>`;
    const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
    const days =
      (Math.floor(Date.parse(String(value).replace(/\d{3}Z$/, "Z"))) - start) / 86_400_000;
    if (days < 61) return textCell(reference, String(value));
    return `<c r="${reference}" s="1"><v>${days}</v></c>`;
  };
  const header = columns.map(({ id }) => `source.${id}`);
  const lines = [header, ...rows].map((row, index) => {
    const cells = row.map((value, column) => cellOf(value, column, index + 1));
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  return writeBook({
    sheets: { Data: `<sheetData>${lines.join("")}</sheetData>` },
    shared: shared.join(""),
    is1904,
  });
}

export interface BookOptions {
  /** XML of each worksheet by name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly shared?: string;
  readonly is1904?: boolean;
}

/** Writes a workbook. Its styles are 0 (general), 1 (date) and 2 (time). */
export function writeBook({ sheets, shared = "", is1904 = false }: BookOptions): Uint8Array {
  const names = Object.keys(sheets);
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const listed = names.map(
    (name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="r${index}"/>`,
  );
  const targets = names.map(
    (_, index) =>
      `<Relationship Id="r${index}" Type="${relations}/worksheet" Target="worksheets/sheet${index}.xml"/>`,
  );
  return writeZip({
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${relations}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${targets.join("")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst ${main}>${shared}</sst>`,
    "xl/styles.xml": `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet ${main}>${sheets[name]}</worksheet>`,
      ]),
    ),
  });
}

/** Writes a zip archive. Its directory states `sizes` instead of the real sizes. */
export function writeZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  sizes: Readonly<Record<string, number>> = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(sizes[name] ?? bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, Buffer.from(name), packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), shared, more, Buffer.from(name)]),
    );
    parts.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, entries, Buffer.from("PK\x05\x06"), end]);
}

/**
 * Escapes characters that XML cannot contain. Also escapes an underscore that would itself start an escape such as
 * `_x000D_`.
 */
function escaped(text: string): string {
  const inXml = (each: string): string => {
    const code = each.charCodeAt(0);
    const isHeld = (code >= 32 && code < 0xfffe) || code === 9 || code === 10;
    return isHeld ? each : `_x${code.toString(16).padStart(4, "0")}_`;
  };
  return Array.from(text.replaceAll(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_"), inXml)
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}
