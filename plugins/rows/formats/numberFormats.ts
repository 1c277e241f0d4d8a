import { PluginError } from "../../protocol/index.ts";
import type { XmlHandlers } from "./readXml.ts";

/**
 * How the number format of a cell shows a number: `padded` with leading zeros, such as 00000; `duration` as elapsed
 * time, such as [h]:mm.
 */
export type ShownAs = "number" | "padded" | "currency" | "date" | "datetime" | "time" | "duration";

/** Maximum number of styles. Excel allows 65,490 (support.microsoft.com, "Excel specifications and limits"). */
const mostStyles = 2 ** 16;
/** Maximum length of a number format in characters, as in Excel. */
const mostCodeLength = 255;

/** Collects the number formats of a workbook from its styles. */
export interface StyleReader {
  readonly handlers: XmlHandlers;
  /** The formats by the style index of a cell. */
  readonly styles: readonly ShownAs[];
}

/**
 * Creates a reader of the styles of a workbook.
 * @throws {PluginError} PLUGIN_UNREADABLE, while reading, for more than 65,536 styles
 */
export function createStyleReader(): StyleReader {
  const codes = new Map<number, string>();
  const styles: ShownAs[] = [];
  const known = new Map<number, ShownAs>();
  let isCells = false;
  return {
    styles,
    handlers: {
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
        const code = codes.get(id);
        const shown =
          known.get(id) ?? (code === undefined ? (builtIn.get(id) ?? "number") : shownBy(code));
        known.set(id, shown);
        styles.push(shown);
      },
      close(name) {
        if (name === "cellXfs") isCells = false;
      },
    },
  };
}

/**
 * The built-in formats that do not show plain numbers (ECMA-376, part 1, 18.8.30). The formats 34, 35, 55 and 56 show
 * times in Chinese, and dates in Japanese and Korean; as a time, a whole day or more is read as a date. The formats
 * from 71 are Thai.
 */
const builtInIds: readonly (readonly [ShownAs, readonly number[]])[] = [
  ["currency", [5, 6, 7, 8, 42, 44]],
  [
    "date",
    [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58, 71, 72, 73, 74, 81],
  ],
  ["datetime", [22, 77]],
  ["time", [18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56, 75, 76, 78, 80]],
  ["duration", [46, 79]],
];
const builtIn: ReadonlyMap<number, ShownAs> = new Map(
  builtInIds.flatMap(([shown, ids]) => ids.map((id) => [id, shown] as const)),
);

/** What the characters of one section of a format code show. */
interface Section {
  isElapsed: boolean;
  isCurrency: boolean;
  isText: boolean;
  /** The letters of dates and times, in lower case. */
  letters: string;
  /** The placeholders of digits. */
  digits: string;
}

/**
 * Returns how a format code shows a number. Of several sections, the first with a placeholder decides, because it shows
 * positive numbers.
 */
function shownBy(code: string): ShownAs {
  for (const section of sectionsOf(code)) {
    const shown = shownBySection(section);
    if (shown !== undefined) return shown;
  }
  return "number";
}

function shownBySection(section: Section): ShownAs | undefined {
  const { letters, digits } = section;
  if (section.isElapsed) return "duration";
  const isTimed = /[hs]/.test(letters);
  if (/[ydegb]|mmm|aaa/.test(letters)) return isTimed ? "datetime" : "date";
  // Next to hours or seconds, m stands for minutes.
  if (letters !== "") return isTimed ? "time" : "date";
  if (digits === "") return section.isText ? "number" : undefined;
  if (section.isCurrency) return "currency";
  return /^0{2,}$/.test(digits) ? "padded" : "number";
}

/** Matches the parts of a format code. Unclosed quotes and brackets extend to the end. */
const parts =
  /"(?<quoted>[^"]*)"?|\[(?<bracket>[^\]]*)\]?|[\\_*](?<escaped>.?)|(?<general>general|standard)|(?<noon>am\/pm|a\/p)|(?<power>e[+-])|(?<sign>\p{Sc})|(?<letter>[ymdhsegab])|(?<digit>[0#?.,/%])|(?<end>;)|(?<text>@)/giu;

function* sectionsOf(code: string): Generator<Section> {
  let section = emptySection();
  for (const { groups = {} } of code.matchAll(parts)) {
    const { bracket } = groups;
    if (groups["end"] !== undefined) {
      yield section;
      section = emptySection();
    } else if (bracket !== undefined) {
      if (/^(h+|m+|s+)$/i.test(bracket)) section.isElapsed = true;
      if (/^\$[^-]/.test(bracket)) section.isCurrency = true;
    } else if (groups["quoted"] !== undefined)
      section.isCurrency ||= /\p{Sc}/u.test(groups["quoted"]);
    else if (groups["sign"] !== undefined) section.isCurrency = true;
    else if (groups["escaped"] !== undefined)
      section.isCurrency ||= /\p{Sc}/u.test(groups["escaped"]);
    else if (groups["general"] !== undefined) section.digits += "#";
    else if (groups["noon"] !== undefined) section.letters += "h";
    else if (groups["power"] !== undefined) section.digits += "e";
    else if (groups["letter"] !== undefined) section.letters += groups["letter"].toLowerCase();
    else if (groups["digit"] !== undefined) section.digits += groups["digit"];
    else if (groups["text"] !== undefined) section.isText = true;
  }
  yield section;
}

function emptySection(): Section {
  return { isElapsed: false, isCurrency: false, isText: false, letters: "", digits: "" };
}
