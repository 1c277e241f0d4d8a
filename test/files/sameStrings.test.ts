import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { writeBook } from "../connectors/files/writeXlsx.ts";
import { layer, rounds } from "../support/layer.ts";
import { createRandom, withSeed, type Random } from "../support/random.ts";
import { suite } from "../support/suite.ts";
import { openHereDoor } from "./openHereDoor.ts";
import { doors, type Door } from "./doors.ts";

type Draw = (random: Random) => string;

const two = (value: number): string => String(value).padStart(2, "0");
const dayOf = (random: Random, most = 28): number => 1 + random.below(most);
const monthNames = ["Jan", "Feb", "March", "avril", "Mai", "June"];

/** Columns of strings, each in one form or with exceptions. */
const kinds: readonly Draw[] = [
  (random) => `${dayOf(random)}/${dayOf(random, 12)}/2024`,
  (random) => `${dayOf(random, 12)}/${dayOf(random)}/2024`,
  (random) => `${dayOf(random, 12)}/${dayOf(random, 12)}/2024`,
  (random) => `${two(dayOf(random))}.${two(dayOf(random, 12))}.24 ${random.below(24)}:30`,
  (random) => `2024-${two(dayOf(random, 12))}-${two(dayOf(random))}`,
  (random) => `2024/${dayOf(random, 12)}/${dayOf(random)}`,
  (random) => `2024-03-${two(dayOf(random))}T10:30:00+02:00`,
  (random) => `${dayOf(random)} ${random.pick(monthNames)} 2023`,
  (random) => random.pick([`${dayOf(random)}/13/2024`, `13/${dayOf(random, 12)}/2024`]),
  (random) => random.pick([`${dayOf(random)}/5/2024`, "soon"]),
  (random) => random.pick(["Oslo", "A1", "true", "x 1/2/2024"]),
  (random) => `${1 + random.below(9)}.${100 + random.below(900)},50 €`,
  (random) => `${random.below(100)}%`,
];

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

type Rows = readonly (readonly (string | null)[])[];

/** Writes strings to a file of each format that contains strings. Nulls are missing cells and members. */
const writers: Readonly<
  Record<string, (names: readonly string[], rows: Rows) => string | Uint8Array>
> = {
  "table.csv": (names, rows) =>
    [names, ...rows]
      .map((row) => row.map((cell) => (cell === null ? "" : `"${cell}"`)).join(","))
      .join("\n"),
  "table.ndjson": (names, rows) =>
    rows
      .map((row) => JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell]))))
      .join("\n"),
  "table.xlsx": (names, rows) => {
    const lines = [names, ...rows].map((row, index) => {
      const cells = row.map((cell, column) =>
        cell === null
          ? ""
          : `<c r="${String.fromCharCode(65 + column)}${index + 1}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`,
      );
      return `<row r="${index + 1}">${cells.join("")}</row>`;
    });
    return writeBook({ sheets: { Data: `<sheetData>${lines.join("")}</sheetData>` } });
  },
};

suite("files/strings in CSV, workbooks and JSON lines", (test) => {
  let folder: string;
  let door: Door;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-strings-")));
    door = layer === "quick" ? openHereDoor(folder) : await doors["the readers"]!(folder);
  });
  test.after(async () => {
    await door.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Reads the columns of dates of a file: their descriptions, notes and values. */
  const datesOf = async (file: string) => {
    const seen = await door.read(file);
    assert.ok(typeof seen !== "string", String(seen));
    const [table] = seen;
    assert.ok(table);
    const { columns, notes } = table;
    const rows = await table.rows();
    assert.ok(typeof rows !== "string", String(rows));
    return columns.flatMap(({ id, type, subtype, samples }, at) =>
      type === "datetime"
        ? [
            {
              id,
              subtype,
              samples,
              notes: notes.filter((note) => note.startsWith(`"${id}"`)),
              values: rows.map((row) => row[at]),
            },
          ]
        : [],
    );
  };

  test("the same strings have the same columns of dates", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 60, soak: 150 }); round++) {
        const drawn = Array.from({ length: 1 + random.below(5) }, () => random.pick(kinds));
        const names = drawn.map((_, at) => `c${at}`);
        const rows = Array.from({ length: 1 + random.below(30) }, (_, row) =>
          drawn.map((draw) => (row > 0 && random.chance(0.1) ? null : draw(random))),
        ).filter((row) => row.some((cell) => cell !== null));
        for (const [file, write] of Object.entries(writers))
          writeFileSync(join(folder, file), write(names, rows));
        const expected = await datesOf("table.csv");
        for (const file of ["table.ndjson", "table.xlsx"])
          assert.equal(await datesOf(file), expected, `${file}, round ${round}`);
      }
    });
  });
});
