import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import type { Column } from "../../plugins/protocol/index.ts";
import { layer } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { doors, type Door, type SeenTable } from "./doors.ts";
import { openHereDoor } from "./openHereDoor.ts";
import { fileCases, type ExpectedTable, type FileCase } from "./fileCase.ts";

const folder = import.meta.dirname;

/** Returns the type of a column in the words of the cases. */
function kindOf({ type, subtype }: Column): string {
  if (type === "hierarchy") return "text";
  return subtype ?? (type === "numeric" ? "number" : type);
}

async function checkTable(seen: SeenTable, expected: ExpectedTable, where: string): Promise<void> {
  const notes = seen.notes.join("\n");
  const types = Object.fromEntries(seen.columns.map((column) => [column.id, kindOf(column)]));
  assert.equal(types, expected.columns, `types, ${where}; notes: ${notes}`);
  for (const note of expected.notes ?? [])
    assert.ok(
      notes.includes(note),
      `${JSON.stringify(note)} is not in ${JSON.stringify(notes)}, ${where}`,
    );
  for (const note of expected.silent ?? []) assert.not.match(notes, note, where);
  const rows = await seen.rows();
  if (typeof rows === "string" || expected.refused !== undefined)
    return assert.equal(rows, expected.refused, where);
  const kinds = Object.values(expected.columns);
  const wanted = expected.rows?.map((row) =>
    row.map((cell, index) =>
      (kinds[index] === "date" || kinds[index] === "datetime") && typeof cell === "string"
        ? new Date(cell).toISOString()
        : cell,
    ),
  );
  if (wanted)
    assert.equal(
      expected.rowCount === undefined ? rows : rows.slice(0, wanted.length),
      wanted,
      where,
    );
  if (expected.rowCount !== undefined) assert.is(rows.length, expected.rowCount, where);
}

async function checkFile(door: Door, name: string, { path, ...expected }: FileCase): Promise<void> {
  const where = `${path} through ${name}`;
  const seen = await door.read(path, expected.settings);
  if (typeof seen === "string" || expected.refused !== undefined)
    return assert.equal(
      typeof seen === "string" ? seen : seen.map(({ columns }) => columns.map(({ id }) => id)),
      expected.refused,
      where,
    );
  const sheets = expected.sheets ?? { "": expected.table! };
  assert.equal(
    seen.map(({ sheet }) => sheet),
    Object.keys(sheets),
    where,
  );
  for (const table of seen)
    await checkTable(table, sheets[table.sheet]!, `${where}, ${table.sheet}`);
}

const cases = fileCases(folder);

suite("files in this process", (test) => {
  const door = openHereDoor(folder);

  for (const [index, each] of cases.entries()) {
    // A workbook for each format of numbers: the quick layer reads some of them.
    const isQuick = dirname(each.path) !== "xlsx/format" || index % 4 === 0;
    (isQuick ? test : test.deep)(`${each.path}: ${each.title}`, () =>
      checkFile(door, "this process", each),
    );
  }
});

/**
 * The cases that the quick layer reads through the doors that start processes. It reads nearly all files in this
 * process.
 */
const quickCases = ["csv", "xlsx"].map((name) => cases.find(({ path }) => dirname(path) === name));
const doorCases = cases.filter((each) => layer === "deep" || quickCases.includes(each));

for (const [name, openDoor] of Object.entries(doors))
  suite(`files through ${name}`, (test) => {
    let door: Door;
    let ownFolder = folder;
    test.before(async () => {
      if (layer === "quick") {
        // The files connector describes every file of its folder.
        ownFolder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-files-")));
        for (const { path } of doorCases) cpSync(join(folder, path), join(ownFolder, path));
      }
      door = await openDoor(ownFolder);
    });
    test.after(async () => {
      await door.close();
      if (ownFolder !== folder) rmSync(ownFolder, { recursive: true, force: true });
    });

    for (const each of doorCases)
      (name === "an upload" ? test.deep : test)(`${each.path}: ${each.title}`, () =>
        checkFile(door, name, each),
      );
  });
