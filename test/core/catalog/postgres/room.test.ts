import * as assert from "uvu/assert";
import { withLittleRoom } from "../../../../core/catalog/postgres/room.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/postgres/room", (test) => {
  test("if a start fails on a nearly full disk, the error says how much space is needed", async () => {
    // Nothing can be written to this folder, so it has no free space.
    const failure = (await withLittleRoom(new Error("it does not answer"), "/proc")) as Error;
    assert.match(
      failure.message,
      /^it does not answer; the disk of \/proc has only 0 MiB free, .* needs up to 80 MiB/,
    );
  });

  test("if a start fails for a reason other than a full disk, the error does not mention space", async () => {
    const failure = new Error("it does not answer");
    assert.is(await withLittleRoom(failure, import.meta.dirname), failure);
  });
});
