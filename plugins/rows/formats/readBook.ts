import { PluginError } from "../../protocol/index.ts";
import type { ReadOptions } from "./fileTable.ts";
import type { Zip } from "./openZip.ts";
import { readXml, type XmlHandlers } from "./readXml.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** The kind of value that cells with a style contain. */
export type NumberStyle = "number" | "date" | "time";

/** The shared parts of a workbook, to which its sheets refer. */
export interface Book {
  readonly sheets: readonly { readonly name: string; readonly path: string }[];
  readonly sharedTexts: readonly string[];
  /** The styles, by the style index of a cell. */
  readonly styles: readonly NumberStyle[];
  /** Whether the workbook counts days from 1904-01-01, as Excel for Macintosh does. */
  readonly is1904: boolean;
}

/** Maximum total number of characters in all shared strings. */
const mostTextLength = 2 ** 27;
const mostSheets = 200;
/** Maximum number of styles. Excel allows 65,490 (support.microsoft.com, "Excel specifications and limits"). */
const mostStyles = 2 ** 16;
/** Maximum length of a number format in characters, as in Excel. */
const mostCodeLength = 255;
/** Minimum size of a decoded shared string in bytes. */
const textBytes = 48;

/** Reads the directory, the shared strings and the styles of a workbook. */
export async function readBook(
  zip: Zip,
  { signal, budget }: Pick<ReadOptions, "signal" | "budget">,
): Promise<Book> {
  if (!zip.has("xl/workbook.xml"))
    throw new PluginError("PLUGIN_UNREADABLE", [
      "it is not a workbook of Excel 2007 or later; save it as .xlsx",
    ]);
  const read = async (path: string, handlers: XmlHandlers): Promise<void> => {
    if (!zip.has(path)) return;
    for await (const _ of readXml(zip.stream(path, signal), handlers)) signal.throwIfAborted();
  };
  const targets = new Map<string, string>();
  await read("xl/_rels/workbook.xml.rels", {
    open(name, { Id = "", Target = "" }) {
      if (name === "Relationship") targets.set(Id, pathOf(Target));
    },
  });
  const sheets: { name: string; path: string }[] = [];
  let is1904 = false;
  await read("xl/workbook.xml", {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = /^(1|true|on)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet") return;
      const path = targets.get(attributes["r:id"] ?? "");
      if (path !== undefined && zip.has(path) && path.includes("worksheets/"))
        sheets.push({ name: attributes["name"] ?? "", path });
    },
  });
  if (sheets.length === 0 || sheets.length > mostSheets)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `it has ${sheets.length} sheets; it must have 1 to ${mostSheets}`,
    ]);
  if (new Set(sheets.map(({ path }) => path.toLowerCase())).size < sheets.length)
    throw new PluginError("PLUGIN_UNREADABLE", ["several of its sheets refer to the same part"]);
  const sharedTexts = await readTexts(read, budget);
  return { sheets, is1904, sharedTexts, styles: await readStyles(read) };
}

type ReadPart = (path: string, handlers: XmlHandlers) => Promise<void>;

async function readTexts(read: ReadPart, budget: UnpackBudget): Promise<readonly string[]> {
  const texts: string[] = [];
  let [length, held, isText, phonetic] = [0, "", false, 0];
  await read("xl/sharedStrings.xml", {
    open(name) {
      if (name === "rPh") phonetic++;
      if (name === "si") held = "";
      isText = name === "t" && phonetic === 0;
    },
    text(text) {
      if (!isText) return;
      held += text;
      length += text.length;
      if (length > mostTextLength)
        throw new PluginError("PLUGIN_UNREADABLE", [
          `its shared strings have more than ${mostTextLength.toLocaleString("en")} characters; save it as CSV`,
        ]);
    },
    close(name) {
      if (name === "rPh") phonetic--;
      if (name === "t") isText = false;
      if (name !== "si") return;
      budget.take(textBytes);
      texts.push(unescaped(held));
    },
  });
  return texts;
}

async function readStyles(read: ReadPart): Promise<readonly NumberStyle[]> {
  const codes = new Map<number, string>();
  const styles: NumberStyle[] = [];
  let isCells = false;
  await read("xl/styles.xml", {
    open(name, attributes) {
      if (name === "numFmt")
        codes.set(
          Number(attributes["numFmtId"]),
          (attributes["formatCode"] ?? "").slice(0, mostCodeLength),
        );
      if (name === "cellXfs") isCells = true;
      if (name !== "xf" || !isCells) return;
      if (styles.length === mostStyles || codes.size > mostStyles)
        throw new PluginError("PLUGIN_UNREADABLE", [
          `it has more than ${mostStyles.toLocaleString("en")} cell styles`,
        ]);
      const id = Number(attributes["numFmtId"] ?? 0);
      styles.push(styleOf(id, codes.get(id)));
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  return styles;
}

/**
 * Returns the kind of value that a number format shows. Built-in formats are known by number (ECMA-376, part 1,
 * 18.8.30), other formats by code.
 */
function styleOf(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) {
    if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58))
      return "date";
    return (id >= 18 && id <= 21) || (id >= 45 && id <= 47) ? "time" : "number";
  }
  const shown = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  if (/^general$/i.test(shown.trim())) return "number";
  if (/[yd]/i.test(shown) || /^[^hs]*m{3,}[^hs]*$/i.test(shown)) return "date";
  return /[hs]/i.test(shown) ? "time" : "number";
}

/** Resolves a target to a path in the archive. The target is relative to the folder `xl`, or absolute. */
function pathOf(target: string): string {
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

/** Decodes the escapes of characters that XML does not allow, such as `_x000D_` (ECMA-376, part 1, 22.4.2.4). */
export function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
