import * as assert from "uvu/assert";
import type { Column } from "../../plugins/protocol/index.ts";
import { suite } from "../support/suite.ts";
import { doors, type Door, type SeenTable } from "./doors.ts";
import { fileCases, type ExpectedTable, type FileCase } from "./fileCase.ts";

const folder = import.meta.dirname;
/** The door that stores each file, which takes many times longer than reading it. */
const costly = "an upload";
/** The quick layer stores one file of this many. */
const storedShare = 16;

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

suite("files", (test) => {
  const open = new Map<string, Door>();
  test.before(async () => {
    for (const [name, openDoor] of Object.entries(doors))
      if (name !== costly) open.set(name, await openDoor(folder));
  });
  test.after(async () => {
    for (const door of open.values()) await door.close();
  });

  for (const each of fileCases(folder))
    test(`${each.path}: ${each.title}`, async () => {
      for (const [name, door] of open) await checkFile(door, name, each);
    });
});

suite("files stored by an upload", (test) => {
  let door: Door;
  test.before(async () => {
    door = await doors[costly]!(folder);
  });
  test.after(() => door.close());

  for (const [index, each] of fileCases(folder).entries()) {
    const declare = index % storedShare === 0 ? test : test.deep;
    declare(`${each.path}: ${each.title}`, () => checkFile(door, costly, each));
  }
});
