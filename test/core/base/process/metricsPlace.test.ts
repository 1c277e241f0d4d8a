import * as assert from "uvu/assert";
import { metricsPlace } from "../../../../core/base/process/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/process/metricsPlace", (test) => {
  test("digits mean a loopback port, a long string a token, and nothing means no metrics", () => {
    assert.is(metricsPlace(undefined), undefined);
    assert.is(metricsPlace(""), undefined);
    assert.equal(metricsPlace("9464"), { kind: "port", port: 9464 });
    const token = "0123456789abcdef";
    assert.equal(metricsPlace(token), { kind: "token", token });
  });

  test("short tokens, tokens with spaces and ports out of range are refused", () => {
    for (const wrong of ["secret", "65536", "a token with spaces in it", "on"])
      assert.throws(() => metricsPlace(wrong), /must be a port/);
  });
});
