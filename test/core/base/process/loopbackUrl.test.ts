import * as assert from "uvu/assert";
import { loopbackUrl } from "../../../../core/base/process/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/process/loopbackUrl", (test) => {
  test("a host that listens on loopback or on all addresses is reached at a loopback address", () => {
    for (const [url, expected] of [
      ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
      ["http://localhost:80", "http://localhost:80"],
      ["http://[::1]:4000", "http://[::1]:4000"],
      ["http://0.0.0.0:4000", "http://127.0.0.1:4000"],
      ["http://[::]:4000", "http://[::1]:4000"],
    ] as const)
      assert.is(loopbackUrl(url), expected);
  });

  test("a host that listens on one public address has no loopback address", () => {
    for (const url of [
      "http://192.168.1.5:4000",
      "http://[2001:db8::1]:4000",
      "http://db.example.com:4000",
    ])
      assert.is(loopbackUrl(url), undefined);
  });
});
