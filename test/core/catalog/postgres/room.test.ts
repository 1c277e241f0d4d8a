import * as assert from "uvu/assert";
import { withLittleRoom } from "../../../../core/catalog/postgres/room.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/postgres/room", (test) => {
  test("a start that fails on a disk with little room says how much it needs (reliability R9)", async () => {
    // Nothing can be written to it: no byte of it is free.
    const failure = (await withLittleRoom(new Error("it does not answer"), "/proc")) as Error;
    assert.match(
      failure.message,
      /^it does not answer; the disk of \/proc has 0 MiB free, .* needs up to 80 MiB/,
    );
  });

  test("a start that fails for another reason says that reason alone", async () => {
    const failure = new Error("it does not answer");
    assert.is(await withLittleRoom(failure, import.meta.dirname), failure);
  });
});
