import { unzipSync } from "fflate";
import {
  createTable,
  mostUnpackedBytes,
  UnreadableFile,
  type Cell,
  type FileTable,
} from "./fileTable.ts";
import { readSheet, type BookParts } from "./readSheet.ts";
import { readXml } from "./readXml.ts";

/**
 * Reads the sheets of an XLSX workbook that have rows, in their order. The first row is the header. Formulas are read
 * as their saved values.
 * @throws {UnreadableFile}
 */
export function readBook(bytes: Uint8Array): readonly FileTable[] {
  const files = unzip(bytes);
  const textIn = (path: string): string | undefined => {
    const file = files[path];
    return file && new TextDecoder().decode(file);
  };
  const workbook = textIn("xl/workbook.xml");
  if (workbook === undefined) throw new UnreadableFile("The file must be an XLSX workbook.");
  const targets = new Map<string, string>();
  readXml(textIn("xl/_rels/workbook.xml.rels") ?? "<r/>", {
    open(name, { Id: id, Target: target }) {
      if (name === "Relationship" && id && target)
        targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  const sheets: { readonly name: string; readonly path: string }[] = [];
  let isFrom1904 = false;
  readXml(workbook, {
    open(name, attributes) {
      if (name === "workbookPr") isFrom1904 = /^(1|true)$/.test(attributes["date1904"] ?? "");
      const path = targets.get(attributes["r:id"] ?? "");
      if (name === "sheet" && path) sheets.push({ name: attributes["name"] ?? "", path });
    },
  });
  const parts: BookParts = {
    texts: readTexts(textIn("xl/sharedStrings.xml")),
    dateStyles: readDateStyles(textIn("xl/styles.xml")),
    isFrom1904,
  };
  const tables = sheets.flatMap(({ name, path }) => {
    const content = textIn(path);
    const table = content === undefined ? undefined : tableOf(name, readSheet(content, parts));
    return table ? [table] : [];
  });
  if (tables.length === 0) throw new UnreadableFile("The workbook has no sheet with rows.");
  return tables;
}

function unzip(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let sizeBytes = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!/^xl\/.*\.(xml|rels)$/i.test(name)) return false;
        sizeBytes += originalSize;
        if (sizeBytes > mostUnpackedBytes)
          throw new UnreadableFile("The workbook is larger than 1 GB when unpacked.");
        return true;
      },
    });
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    throw new UnreadableFile("The workbook is damaged.", { cause });
  }
}

/** Returns rows as wide as the header. Cells to the right of the header make a row uneven. Empty rows are skipped. */
function tableOf(name: string, rows: readonly (readonly Cell[])[]): FileTable | undefined {
  const [first, ...rest] = rows;
  if (!first) return undefined;
  const header = first.map((cell) => (cell === null ? "" : String(cell)));
  while (header.at(-1) === "") header.pop();
  const cells = rest.map((row) => {
    let width = row.length;
    while (width > header.length && row[width - 1] === null) width--;
    return Array.from({ length: Math.max(width, header.length) }, (_, at) => row[at] ?? null);
  });
  return createTable(name, header, cells);
}

function readTexts(content: string | undefined): readonly string[] {
  if (content === undefined) return [];
  const texts: string[] = [];
  let text = "";
  let isText = false;
  let isSound = false;
  readXml(content, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isSound = true;
      isText = name === "t" && !isSound;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === "si") texts.push(text);
      if (name === "rPh") isSound = false;
      isText = false;
    },
  });
  return texts;
}

/**
 * Returns whether an id belongs to a date or time format that a workbook need not declare (ECMA-376, part 1, 18.8.30).
 */
const isDateFormat = (id: number): boolean =>
  (14 <= id && id <= 22) ||
  (27 <= id && id <= 36) ||
  (45 <= id && id <= 47) ||
  (50 <= id && id <= 58);

/** Returns the indexes of cell styles that format numbers as dates or times. */
function readDateStyles(content: string | undefined): ReadonlySet<number> {
  const styles = new Set<number>();
  if (content === undefined) return styles;
  const codes = new Map<number, string>();
  let isCells = false;
  let count = 0;
  readXml(content, {
    open(name, attributes) {
      if (name === "numFmt")
        codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
      if (name === "cellXfs") isCells = true;
      if (name !== "xf" || !isCells) return;
      const id = Number(attributes["numFmtId"] ?? 0);
      const code = codes.get(id);
      if (code === undefined ? isDateFormat(id) : hasDateLetters(code)) styles.add(count);
      count++;
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  return styles;
}

/**
 * Returns whether a format code contains date letters. Quoted and escaped letters, colours and conditions do not count,
 * but `[h]` does.
 */
const hasDateLetters = (code: string): boolean =>
  /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, ""));
