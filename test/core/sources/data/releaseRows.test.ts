import * as assert from "uvu/assert";
import { releaseRows } from "../../../../core/sources/data/releaseRows.ts";
import { suite } from "../../../support/suite.ts";

suite("core/sources/data/releaseRows", (test) => {
  test("releasing rows frees unshared arrays at once and keeps shared arrays, even when repeated", () => {
    const values = Float64Array.of(1, 2);
    const codes = Int32Array.of(0, -1);
    const whole = Float64Array.of(3, 4, 5);
    const shared = new Float64Array(new SharedArrayBuffer(16));
    const rows = {
      rowCount: 2,
      columns: [
        { type: "numeric", values },
        { type: "hierarchy", codes, dictionary: ["a"] },
        { type: "datetime", values: whole.subarray(0, 2) },
        { type: "numeric", values: shared },
      ],
    } as const;
    releaseRows(rows);
    releaseRows(rows);
    assert.is(values.length, 0);
    assert.is(codes.length, 0);
    assert.equal([...whole], [3, 4, 5]);
    assert.is(shared.length, 2);
  });

  test("rows whose memory belongs to a pool are given back to the pool, and stay readable until then", () => {
    const values = Float64Array.of(1, 2);
    let releasedCount = 0;
    releaseRows({
      rowCount: 2,
      columns: [{ type: "numeric", values }],
      release: () => releasedCount++,
    });
    assert.is(releasedCount, 1);
    assert.is(values.length, 2);
  });
});
