import { PluginError } from "../../protocol/index.ts";
import type { Calendar } from "./cellValue.ts";
import type { ReadOptions } from "./fileTable.ts";
import { createStyleReader, type ShownAs } from "./numberFormats.ts";
import type { Zip } from "./openZip.ts";
import { readXml, type XmlHandlers } from "./readXml.ts";
import { createTextReader, unescaped } from "./sharedTexts.ts";

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  readonly name: string;
  /** Path of the part with the cells. */
  readonly path: string;
  readonly isHidden: boolean;
}

/** The shared parts of a workbook, to which its sheets refer. */
export interface Book {
  readonly sheets: readonly ListedSheet[];
  readonly sharedTexts: readonly string[];
  /** How numbers are shown, by the style index of a cell. */
  readonly styles: readonly ShownAs[];
  readonly calendar: Calendar;
}

const mostSheets = 200;

/** Reads the directory, the shared strings and the styles of a workbook. */
export async function readBook(
  zip: Zip,
  { signal, budget }: Pick<ReadOptions, "signal" | "budget">,
): Promise<Book> {
  const read = partReader(zip, signal);
  const path = await bookPath(zip, read);
  const relations = await relationsOf(path, read);
  const { sheets, calendar } = await readDirectory(path, relations, read);
  const texts = createTextReader(budget);
  await read(partOf(relations, "sharedStrings") ?? "xl/sharedStrings.xml", texts.handlers);
  const styles = createStyleReader();
  await read(partOf(relations, "styles") ?? "xl/styles.xml", styles.handlers);
  return { sheets, calendar, sharedTexts: texts.texts, styles: styles.styles };
}

/** Reads a part of the archive. A missing part has no content. */
type ReadPart = (path: string, handlers: XmlHandlers) => Promise<void>;

/** Returns a function that reads the parts of an archive. */
export function partReader(zip: Zip, signal: AbortSignal): ReadPart {
  return async (path, handlers) => {
    if (!zip.has(path)) return;
    for await (const _ of readXml(zip.stream(path, signal), handlers)) signal.throwIfAborted();
  };
}

/** Returns the path of the workbook's own part, which the archive names in its relations. */
async function bookPath(zip: Zip, read: ReadPart): Promise<string> {
  const path = partOf(await relationsOf("", read), "officeDocument") ?? "xl/workbook.xml";
  if (/\.bin$/i.test(path) || zip.has("xl/workbook.bin"))
    throw new PluginError("PLUGIN_UNREADABLE", [
      "it is a binary workbook of Excel (.xlsb); save it as .xlsx",
    ]);
  if (!zip.has(path) && zip.has("content.xml"))
    throw new PluginError("PLUGIN_UNREADABLE", [
      "it is an OpenDocument spreadsheet (.ods); save it as .xlsx",
    ]);
  if (!zip.has(path))
    throw new PluginError("PLUGIN_UNREADABLE", [
      "it is not a workbook of Excel 2007 or later; save it as .xlsx",
    ]);
  return path;
}

async function readDirectory(
  path: string,
  relations: ReadonlyMap<string, Relation>,
  read: ReadPart,
): Promise<Pick<Book, "sheets" | "calendar">> {
  const sheets: ListedSheet[] = [];
  let calendar: Calendar = "1900";
  await read(path, {
    open(name, attributes) {
      if (name === "workbookPr") calendar = calendarOf(attributes);
      if (name !== "sheet") return;
      const relation = relations.get(attributes["r:id"] ?? "");
      if (!relation || !isWorksheet(relation)) return;
      sheets.push({
        name: unescaped(attributes["name"] ?? "")
          .toWellFormed()
          .replaceAll("\0", "\ufffd"),
        path: relation.path,
        isHidden: /^(very)?hidden$/i.test(attributes["state"] ?? ""),
      });
    },
  });
  if (sheets.length === 0 || sheets.length > mostSheets)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `it has ${sheets.length} sheets; it must have 1 to ${mostSheets}`,
    ]);
  if (new Set(sheets.map((each) => each.path.toLowerCase())).size < sheets.length)
    throw new PluginError("PLUGIN_UNREADABLE", ["several of its sheets refer to the same part"]);
  if (new Set(sheets.map((each) => each.name.toLowerCase())).size < sheets.length)
    throw new PluginError("PLUGIN_UNREADABLE", ["several of its sheets have the same name"]);
  return { sheets, calendar };
}

const isOn = (value: string | undefined): boolean => /^(1|true|on)$/i.test(value ?? "");

function calendarOf(attributes: Readonly<Record<string, string>>): Calendar {
  if (isOn(attributes["date1904"])) return "1904";
  const { dateCompatibility = "1" } = attributes;
  return isOn(dateCompatibility) ? "1900" : "iso";
}

/** A relation from one part of the archive to another. */
interface Relation {
  /** The last segment of the relation's type, such as `worksheet`. */
  readonly kind: string;
  readonly path: string;
}

function isWorksheet({ kind, path }: Relation): boolean {
  return kind === "worksheet" || (kind === "" && path.includes("worksheets/"));
}

function partOf(relations: ReadonlyMap<string, Relation>, kind: string): string | undefined {
  return Array.from(relations.values()).find((each) => each.kind === kind)?.path;
}

/** Reads the relations of a part, by id. The relations of the archive belong to the part "". */
export async function relationsOf(
  path: string,
  read: ReadPart,
): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const cut = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, cut);
  await read(`${folder}_rels/${path.slice(cut)}.rels`, {
    open(name, { Id = "", Target = "", Type = "", TargetMode = "" }) {
      if (name !== "Relationship" || TargetMode.toLowerCase() === "external") return;
      const kind = Type.slice(Type.lastIndexOf("/") + 1);
      relations.set(Id, { kind, path: resolvedPath(folder, Target) });
    },
  });
  return relations;
}

/** Resolves a target to a path in the archive. The target is relative to a folder, or absolute. */
function resolvedPath(folder: string, target: string): string {
  const segments: string[] = [];
  for (const segment of (target.startsWith("/") ? target : `${folder}${target}`).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}
