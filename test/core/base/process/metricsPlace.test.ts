import * as assert from "uvu/assert";
import { metricsPlace } from "../../../../core/base/process/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/process/metricsPlace", (test) => {
  test("the metrics setting can be a loopback port or a token, and an empty value turns the metrics off", () => {
    assert.is(metricsPlace(undefined), undefined);
    assert.is(metricsPlace(""), undefined);
    assert.equal(metricsPlace("9464"), { kind: "port", port: 9464 });
    const token = "0123456789abcdef";
    assert.equal(metricsPlace(token), { kind: "token", token });
  });

  test("the metrics setting cannot be a short token, a token with spaces or a port out of range", () => {
    for (const wrong of ["secret", "65536", "a token with spaces in it", "on"])
      assert.throws(() => metricsPlace(wrong), /must be a port/);
  });
});
