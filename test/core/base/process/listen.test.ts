import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { listen } from "../../../../core/base/process/index.ts";
import { suite } from "../../../support/suite.ts";

const messageOf = (listening: Promise<string>): Promise<string> =>
  listening.catch((failure: Error) => failure.message);

suite("core/base/process/listen", (test) => {
  test("if the address is taken or belongs to another machine, the error names the setting to change", async () => {
    const [first, second] = [createServer(), createServer()];
    try {
      const url = await listen(first, { host: "127.0.0.1", port: 0 });
      const { port } = first.address() as AddressInfo;
      assert.is(url, `http://127.0.0.1:${port}`);
      const taken = await messageOf(
        listen(second, { host: "127.0.0.1", port }, "MANIFOLD_METRICS"),
      );
      assert.is(
        taken,
        `another process already listens on 127.0.0.1:${port}: stop it, or set MANIFOLD_METRICS to another port`,
      );
      const away = await messageOf(listen(second, { host: "192.0.2.1", port: 0 }));
      assert.match(away, /192\.0\.2\.1 must be an address of this machine: set MANIFOLD_HOST/);
    } finally {
      first.close();
      second.close();
    }
  });
});
