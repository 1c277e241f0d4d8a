import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { findLocalFiles } from "../../../connectors/files/findLocalFiles.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

const paths = [
  "a.csv",
  "a.csv.csv",
  "book.xlsx",
  "main/a.csv",
  "one/a.csv",
  "one/two/a.csv",
  "one/two.csv",
  "onetwo/b.csv",
];

suite("connectors/files/findLocalFiles", (test) => {
  let folder: string;
  let outside: string;
  test.before(() => {
    [folder = "", outside = ""] = ["files", "outside"].map((name) =>
      realpathSync(mkdtempSync(join(tmpdir(), `manifold-${name}-`))),
    );
    for (const each of ["main", "one/two", "onetwo", "many"])
      mkdirSync(join(folder, each), { recursive: true });
    for (const path of paths) writeFileSync(join(folder, path), "x\n1\n");
    symlinkSync(join(folder, "onetwo/b.csv"), join(folder, "one/link.csv"));
    writeFileSync(join(outside, "secret.csv"), "x\n1\n");
    symlinkSync(join(outside, "secret.csv"), join(folder, "secret.csv"));
  });
  test.after(() => {
    for (const each of [folder, outside]) rmSync(each, { recursive: true, force: true });
  });
  const find = (wanted?: { readonly schema: string; readonly name: string }) =>
    findLocalFiles({ host: folder }, openReach(folder), wanted);

  test("a wanted table has the same first file as in the list of the whole folder", async () => {
    const all = await find();
    assert.is(all.length, paths.length + 1);
    for (const { schema, name } of all) {
      const isSame = (each: { readonly schema: string; readonly name: string }) =>
        each.schema === schema && each.name === name;
      const found = await find({ schema, name });
      assert.equal(found.find(isSame), all.find(isSame));
      assert.ok(found.every(isSame), `${schema}/${name}`);
    }
    const sheet = await find({ schema: "main", name: "book.xlsx/Sheet1" });
    assert.equal(
      sheet.map(({ name }) => name),
      ["book.xlsx"],
    );
    for (const [schema, name] of [
      ["main", "secret.csv"],
      ["main", "b.csv"],
      ["two", "a.csv"],
      ["../outside", "secret.csv"],
    ] as const)
      assert.equal(await find({ schema, name }), []);
  });

  test("a folder with too many files is not listed, but each of its tables is found", async () => {
    for (let each = 0; each < 1000; each++) writeFileSync(join(folder, `many/${each}.csv`), "");
    const failure: unknown = await find().catch((thrown: unknown) => thrown);
    assert.match(String(failure), "more than 1000 data files");
    const [file] = await find({ schema: "many", name: "999.csv" });
    assert.is(file?.name, "999.csv");
  });
});
