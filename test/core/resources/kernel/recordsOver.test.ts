import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/kernel/recordsOver", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  test("changeMany gives each record its own values and leaves unknown ids out", async () => {
    const records = openRecords({ catalog, cipher: catalog.cipher });
    const people = ["a", "b", "c"].map((name) => ({ email: `${name}@example.org`, name }));
    const [a, b, c] = await records.insertMany("user", people);
    assert.ok(a && b && c);
    const rows = await records.changeMany(
      "user",
      new Map([
        [a.id, { name: "Ada", city: "Ghent" }],
        [b.id, { name: "Ben", city: null }],
        [randomUUID(), { name: "Nobody", city: null }],
        ["no id", { name: "Nobody", city: null }],
      ]),
    );
    const shown = (all: typeof rows) =>
      all.map(({ id, name, city }) => [id, name, city]).toSorted();
    const expected = [
      [a.id, "Ada", "Ghent"],
      [b.id, "Ben", null],
    ].toSorted();
    assert.equal(shown(rows), expected);
    assert.equal(shown(await records.find("user", { id: [a.id, b.id] })), expected);
    assert.is((await records.find("user", { id: c.id }))[0]?.name, "c");
    assert.equal(await records.changeMany("user", new Map()), []);
  });

  test("locking a record that does not exist fails", async () => {
    const records = openRecords({ catalog, cipher: catalog.cipher });
    for (const id of [randomUUID(), "no id"]) {
      const lock = records.transaction((transaction) => records.lock("user", id, transaction));
      assert.is((await refusal(lock)).code, "RECORD_NOT_FOUND");
    }
  });
});
