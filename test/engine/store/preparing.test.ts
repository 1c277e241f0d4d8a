import { join } from "node:path";
import * as assert from "uvu/assert";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { openStore, type NamedBatch } from "../../../engine/index.ts";
import { eventually } from "../../support/eventually.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder } from "../tables.ts";

const columns = [{ name: "s", type: "text" }] as const;
const batchOf = (dictionary: readonly string[]): NamedBatch => ({
  names: ["s"],
  batch: {
    rowCount: dictionary.length,
    columns: [{ type: "text", codes: Int32Array.from(dictionary.keys()), dictionary }],
  },
});

suite("engine/store/preparing", (test) => {
  test("after an append, fill or replace, strings are ordered before a query needs the order", async () => {
    const folder = await makeFolder();
    const open = () =>
      openStore({ dir: join(folder.path, "store"), workers: 1, memoryBytes: 2 ** 28 });
    const store = await open();
    const plain = Object.getOwnPropertyDescriptor(Dictionary.prototype, "order")!;
    const ordered: number[] = [];
    Dictionary.prototype.order = function (this: Dictionary) {
      ordered.push(this.size);
      return plain.value.call(this);
    };
    const isOrdered = (size: number) =>
      eventually(() => ordered.at(-1) === size, `the ${size} strings are in order`);
    try {
      await store.create({ name: "t", columns });
      await store.append({ table: "t", rows: batchOf(["c", "a", "b"]) });
      await isOrdered(3);
      const batches = (async function* () {
        yield batchOf(["d", "a"]);
      })();
      await store.fillBatches({ table: "t", columns, batches });
      await isOrdered(4);
      await store.replace({ table: "t", rows: batchOf(["z", "y"]) });
      await isOrdered(2);
      const { columns: shown } = await store.query({
        table: "t",
        grouped: false,
        outputs: [{ kind: "key", of: { kind: "column", name: "s" } }],
        order: [{ output: 0, descending: false }],
      });
      const [vector] = shown;
      assert.ok(vector.type === "text");
      assert.equal(
        Array.from(vector.codes, (code) => vector.dictionary[code]),
        ["y", "z"],
      );
    } finally {
      Object.defineProperty(Dictionary.prototype, "order", plain);
      await store.close();
      await folder.remove();
    }
  });
});
