import * as assert from "uvu/assert";
import { openSealMemory, trimSealMemory } from "../../../../engine/column/seal/sealMemory.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/column/seal/sealMemory", (test) => {
  test("the memory for sealing accepts tables of any length", () => {
    const memory = openSealMemory();
    const { buffer } = memory.bytes;
    memory.values.fill(1.5);
    memory.words.fill(7);
    for (const count of [1, 1000, 100_000]) {
      const address = memory.placeTable(Int32Array.from({ length: count }, (_, index) => ~index));
      assert.ok(address >= memory.storedAt + 65_536 * 8);
      assert.is(openSealMemory(), memory);
      trimSealMemory();
      assert.is(openSealMemory(), memory);
    }
    assert.ok(memory.values.every((value) => value === 1.5));
    assert.ok(memory.words.every((word) => word === 7));
    assert.is(memory.bytes.buffer, buffer);
  });

  test.deep("the memory for sealing is released after a large table", () => {
    const memory = openSealMemory();
    const { byteLength } = memory.bytes;
    memory.placeTable(new Int32Array(2 ** 25));
    assert.is(openSealMemory(), memory);
    trimSealMemory();
    assert.is.not(openSealMemory(), memory);
    assert.is(openSealMemory().bytes.byteLength, byteLength);
    trimSealMemory();
  });
});
