import * as assert from "uvu/assert";
import { withLittleRoom } from "../../../../core/catalog/postgres/room.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/postgres/room", (test) => {
  test("a start that fails on a nearly full disk says how much space it needs", async () => {
    // Nothing can be written to this folder, so it has no free space.
    const failure = (await withLittleRoom(new Error("it does not answer"), "/proc")) as Error;
    assert.match(
      failure.message,
      /^it does not answer; the disk of \/proc has only 0 MiB free, .* needs up to 80 MiB/,
    );
  });

  test("a start that fails for another reason states only that reason", async () => {
    const failure = new Error("it does not answer");
    assert.is(await withLittleRoom(failure, import.meta.dirname), failure);
  });
});
