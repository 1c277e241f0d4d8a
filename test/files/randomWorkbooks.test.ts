import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { openXlsx } from "../../plugins/rows/formats/openXlsx.ts";
import { readFirstTable } from "../plugins/rows/formats/readFirstTable.ts";
import { writeBook } from "../connectors/files/writeXlsx.ts";
import { createRandom, withSeed, type Random } from "../support/random.ts";
import { suite } from "../support/suite.ts";

const words = ["a", "Ghent", "two words", "é", "漢字", "🦄", "a & b", "<b>", "x\ny", "1", "true"];
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A column of a random sheet: the XML of a cell after its reference, and its value. */
interface Drawn {
  readonly xml: string;
  readonly value: string | number | null;
}

/** Of so many workbooks, one is also read by a reader that is not ours. */
const roundsPerOracle = 20;

interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: readonly (readonly unknown[])[];
}

type Theirs = Readonly<Record<string, readonly (readonly unknown[])[]>>;

/**
 * Reads the numbers and days of all workbooks in a folder with openpyxl, in one process. Undefined without openpyxl.
 */
function readWithOpenpyxl(folder: string): Theirs | undefined {
  const script = `import datetime, glob, json, openpyxl, os, sys
def cell(value):
    if isinstance(value, datetime.date):
        return value.strftime("%Y-%m-%dT00:00:00.000Z")
    return value
books = {}
for path in glob.glob(os.path.join(sys.argv[1], "*.xlsx")):
    rows = list(openpyxl.load_workbook(path, data_only=True).active.iter_rows(min_row=2, max_col=3, values_only=True))
    books[os.path.basename(path)] = [[row[0], cell(row[2])] for row in rows]
json.dump(books, sys.stdout)`;
  for (const python of ["python3", "/usr/bin/python3"]) {
    const { status, stdout } = spawnSync(python, ["-c", script, folder], { maxBuffer: 2 ** 28 });
    if (status === 0) return JSON.parse(stdout.toString()) as Theirs;
  }
  return undefined;
}

/** Reads the numbers and days of workbooks with the reader of another project. */
async function readAgain(kept: readonly Kept[]): Promise<Theirs> {
  const books = kept.map(async ({ name, bytes }) => {
    const rows = (await readSheet(Buffer.from(bytes))).slice(1);
    return [
      name,
      rows.map((row) => [row[0] ?? null, row[2] instanceof Date ? row[2].toISOString() : null]),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(books));
}

/** Draws a number in one of the forms that XML allows. */
function drawNumber(random: Random): Drawn {
  const value = random.pick([0, 1, -7.25, 0.1, 1e15, 123456.789, 5e-324, random.below(1e6) / 64]);
  const text = random.pick([String(value), value.toExponential(), ` ${value} `]);
  const formula = random.chance(0.3) ? "<f>1+1</f>" : "";
  return { xml: `>${formula}<v>${text}</v></c>`, value };
}

/** Draws a string as a shared, inline or calculated string, with runs and phonetic hints. */
function drawText(random: Random, shared: string[]): Drawn {
  const value = random.pick(words);
  const whole = `<t xml:space="preserve">${escaped(value)}</t>`;
  const runs = `<r><rPr><b/></rPr>${whole}</r><r><t/></r>`;
  const hint = '<rPh sb="0" eb="1"><t>hint</t></rPh>';
  const content = random.pick([whole, runs, `${whole}${hint}`]);
  if (random.chance(0.4)) {
    shared.push(`<si>${content}</si>`);
    return { xml: ` t="s"><v>${shared.length - 1}</v></c>`, value };
  }
  if (random.chance(0.5)) return { xml: ` t="inlineStr"><is>${content}</is></c>`, value };
  return { xml: ` t="str"><f>A1</f><v>${escaped(value)}</v></c>`, value };
}

/** Draws a day as a number with a date format. */
function drawDay(random: Random, is1904: boolean): Drawn {
  const serial = 61 + random.below(80_000);
  const startMs = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const value = new Date(startMs + serial * 86_400_000).toISOString();
  return { xml: ` s="1"><v>${serial}</v></c>`, value };
}

suite("files/random workbooks", (test) => {
  let folder: string;
  test.before(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-books-")))));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  test.deep(
    "a random workbook contains the values that were written, and that openpyxl or another reader sees",
    () => {
      const random = createRandom();
      return withSeed(random, async () => {
        const kept: Kept[] = [];
        for (let round = 0; round < 10_000; round++) {
          const shared: string[] = [];
          const is1904 = random.chance(0.5);
          const rows = Array.from({ length: 1 + random.below(20) }, () =>
            [drawNumber(random), drawText(random, shared), drawDay(random, is1904)].map((drawn) =>
              random.chance(0.1) ? undefined : drawn,
            ),
          ).filter((row) => row.some((cell) => cell !== undefined));
          // The first row has all values, so that the types are certain.
          rows.unshift([
            drawNumber(random),
            { xml: ' t="str"><v>x</v></c>', value: "x" },
            drawDay(random, is1904),
          ]);
          const lines = rows.map((row, index) => {
            const cells = row.map((cell, column) =>
              cell ? `<c r="${"ABC"[column]}${index + 2}"${cell.xml}` : "",
            );
            return `<row r="${index + 2}">${cells.join("")}</row>`;
          });
          const header = ["n", "t", "d"].map(
            (name, at) => `<c r="${"ABC"[at]}1" t="str"><v>${name}</v></c>`,
          );
          const content = `<sheetData><row r="1">${header.join("")}</row>${lines.join("")}</sheetData>`;
          const bytes = writeBook({ sheets: { Data: content }, shared: shared.join(""), is1904 });
          const read = await readFirstTable(bytes, { format: "xlsx", open: openXlsx });
          const expected = rows.map((row) => row.map((cell) => cell?.value ?? null));
          assert.equal(read.cells, expected, `round ${round}`);
          if (round % roundsPerOracle !== 0) continue;
          const name = `${round}.xlsx`;
          writeFileSync(join(folder, name), bytes);
          kept.push({ name, bytes, expected });
        }
        const theirs = readWithOpenpyxl(folder) ?? (await readAgain(kept));
        for (const { name, expected } of kept)
          assert.equal(
            theirs[name],
            // The other readers drop line ends of strings in their own ways.
            expected.map(([number, , day]) => [number, day]),
            name,
          );
      });
    },
  );
});
