import * as assert from "uvu/assert";
import { releasePieces } from "../../../engine/files/releasePieces.ts";
import { suite } from "../../support/suite.ts";

suite("engine/files/releasePieces", (test) => {
  test("only the large pieces of a write that own their memory are freed at once", () => {
    const large = new Uint8Array(2 ** 17);
    const small = new Uint8Array(8);
    const half = new Uint8Array(2 ** 18).subarray(2 ** 17);
    const shared = new Uint8Array(new SharedArrayBuffer(2 ** 17));
    const pieces = [large, small, half, shared];
    releasePieces(pieces);
    releasePieces(pieces);
    assert.equal(
      pieces.map(({ length }) => length),
      [0, 8, 2 ** 17, 2 ** 17],
    );
  });
});
