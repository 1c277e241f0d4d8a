import { strToU8, zipSync } from "fflate";

type Sheet = readonly (readonly (string | number)[])[];

/** Returns a workbook with sheets of strings and numbers. */
export function bookOf(sheets: Readonly<Record<string, Sheet>>): Uint8Array {
  return zipBook(
    Object.fromEntries(
      Object.entries(sheets).map(([name, rows]) => [
        name,
        rows.map((row) => `<row>${row.map(cellOf).join("")}</row>`).join(""),
      ]),
    ),
  );
}

const cellOf = (value: string | number): string =>
  typeof value === "number"
    ? `<c><v>${value}</v></c>`
    : `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/** The namespace of workbook parts. */
export const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** Zips a workbook from the XML of each sheet's rows, and other parts by path. */
export function zipBook(
  sheets: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    "xl/workbook.xml": `<workbook ${main} xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names.map((_, at) => `<Relationship Id="s${at}" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}</Relationships>`,
    ...more,
  };
  for (const [at, name] of names.entries())
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet ${main}><sheetData>${sheets[name]}</sheetData></worksheet>`;
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])),
  );
}
