import type { FileKind } from "./fileKind.ts";

/** How the reader enters a setting. */
export type ControlForm =
  /** One of several values. `hasOther` also allows any single character. */
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly hasOther?: boolean }
  | { readonly kind: "flag" }
  /** A whole number from 0. */
  | { readonly kind: "count" }
  /** One of the sheets that the host found in the workbook. */
  | { readonly kind: "sheet" }
  | { readonly kind: "text" }
  /** Several strings, separated by commas. */
  | { readonly kind: "list" }
  | { readonly kind: "zone" };

/** A setting for reading files that the dialog offers. Its id is its name in the API. */
export interface Control {
  readonly id: string;
  readonly kinds: readonly FileKind[];
  readonly form: ControlForm;
}

/** The settings in the order of the dialog. Their labels are in `words.ts`. */
export const controls = [
  { id: "sheet", kinds: ["workbook"], form: { kind: "sheet" } },
  { id: "range", kinds: ["workbook"], form: { kind: "text" } },
  {
    id: "separator",
    kinds: ["delimited"],
    form: { kind: "choice", values: ["comma", "semicolon", "tab", "pipe"], hasOther: true },
  },
  {
    id: "encoding",
    kinds: ["delimited", "json"],
    form: {
      kind: "choice",
      values: [
        "utf-8",
        "utf-16",
        "windows-1252",
        "windows-1250",
        "windows-1251",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "iso-8859-2",
        "iso-8859-15",
        "macintosh",
        "koi8-r",
        "shift_jis",
        "euc-jp",
        "euc-kr",
        "big5",
        "gbk",
        "gb18030",
      ],
    },
  },
  { id: "skip_rows", kinds: ["delimited", "workbook"], form: { kind: "count" } },
  { id: "header", kinds: ["delimited", "workbook"], form: { kind: "flag" } },
  {
    id: "decimal",
    kinds: ["delimited"],
    form: { kind: "choice", values: ["point", "comma"] },
  },
  {
    id: "thousands",
    kinds: ["delimited"],
    form: { kind: "choice", values: ["none", "comma", "point", "space", "apostrophe"] },
  },
  {
    id: "dates",
    kinds: ["delimited", "json", "workbook"],
    form: { kind: "choice", values: ["YMD", "DMY", "MDY", "ISO"] },
  },
  { id: "time_zone", kinds: ["delimited", "json", "workbook"], form: { kind: "zone" } },
  {
    id: "nulls",
    kinds: ["delimited", "json", "workbook"],
    form: { kind: "list" },
  },
] as const satisfies readonly Control[];

export type ControlId = (typeof controls)[number]["id"];

/** Returns the controls for a kind of file. */
export function controlsFor(kind: FileKind): readonly (Control & { readonly id: ControlId })[] {
  return controls.filter(({ kinds }) => kinds.some((each) => each === kind));
}
