import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { writeBook } from "../connectors/files/writeXlsx.ts";
import { createRandom, withSeed, type Random } from "../support/random.ts";
import { suite } from "../support/suite.ts";
import { doors, type Door } from "./doors.ts";

const words = ["a", "Ghent", "two words", "é", "漢字", "🦄", "a & b", "<b>", "x\ny", "1", "true"];
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A column of a random sheet: the XML of a cell after its reference, and its value. */
interface Drawn {
  readonly xml: string;
  readonly value: string | number | null;
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
  let door: Door;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-workbooks-")));
    door = await doors["the readers"]!(folder);
  });
  test.after(async () => {
    await door.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.deep(
    "a random workbook contains the values that were written, and that another reader sees",
    () => {
      const random = createRandom();
      return withSeed(random, async () => {
        for (let round = 0; round < 60; round++) {
          const shared: string[] = [];
          const is1904 = random.chance(0.5);
          const rows = Array.from({ length: 1 + random.below(40) }, () =>
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
          writeFileSync(join(folder, "book.xlsx"), bytes);

          const seen = await door.read("book.xlsx");
          assert.ok(typeof seen !== "string", String(seen));
          const expected = rows.map((row) => row.map((cell) => cell?.value ?? null));
          const read = await seen[0]!.rows();
          assert.equal(read, expected, `round ${round}`);
          const theirs = (await readSheet(Buffer.from(bytes))).slice(1);
          const numbers = theirs.map((row) => row[0] ?? null);
          assert.equal(
            numbers,
            expected.map(([number]) => number),
            `numbers, round ${round}`,
          );
          const days = theirs.map((row) => (row[2] instanceof Date ? row[2].toISOString() : null));
          assert.equal(
            days,
            expected.map((row) => row[2]),
            `days, round ${round}`,
          );
        }
      });
    },
  );
});
