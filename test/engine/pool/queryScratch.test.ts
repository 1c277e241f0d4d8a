import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { QueryScratch } from "../../../engine/pool/queryScratch.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

suite("engine/pool/queryScratch", (test) => {
  test("a workspace has an address in each arena that its query uses, and -1 in all others", () => {
    const memory = new Memory({ budgetBytes: 2 ** 24 });
    for (const arena of [0, 1, 2]) memory.allocateScratch(64, arena);
    const scratch = new QueryScratch(memory);
    const bases = scratch.workspace(1000, [0, 2]);
    assert.is(bases.length, 3);
    assert.ok(bases[0] > 0 && bases[2] > 0);
    assert.is(bases[1], -1);
  });

  test("a query's scratch memory is freed completely and once, even after a failed reservation", async () => {
    const memory = new Memory({ budgetBytes: 2 ** 24, scratchBytes: 2 ** 20 });
    const scratch = new QueryScratch(memory);
    scratch.reserve(64, 0);
    scratch.workspace(1000, [0]);
    await rejects(
      Promise.resolve().then(() => scratch.reserve(2 ** 21, 0)),
      "QUERY_OUT_OF_MEMORY",
    );
    assert.ok(memory.scratchUsedBytes > 1000);
    scratch.free();
    assert.is(memory.scratchUsedBytes, 0);
    scratch.free();
    assert.is(memory.scratchUsedBytes, 0);
  });

  test("a released workspace is free, and other blocks are not", () => {
    const memory = new Memory({ budgetBytes: 2 ** 24, scratchBytes: 2 ** 20 });
    const scratch = new QueryScratch(memory);
    scratch.reserve(64, 0);
    const usedBytes = memory.scratchUsedBytes;
    const workspace = scratch.workspace(1000, [0]);
    assert.ok(memory.scratchUsedBytes > usedBytes);
    scratch.release(workspace);
    assert.is(memory.scratchUsedBytes, usedBytes);
    scratch.free();
    assert.is(memory.scratchUsedBytes, 0);
  });
});
