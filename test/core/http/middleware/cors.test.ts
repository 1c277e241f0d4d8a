import * as assert from "uvu/assert";
import { openFakeApp, send, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/cors", (test) => {
  let app: FakeApp;
  test.before(async () => {
    app = await openFakeApp();
  });
  test.after(() => app.close());

  test("a preflight never allows the console's header, arbitrary headers or credentials", async () => {
    for (const path of [
      "/0.1.0/user",
      "/auth/vi",
      "/auth/session",
      "/auth/passkey",
      "/auth/account/overview",
      "/auth/sso",
      "/scim/v2/a/Users",
      "/mcp",
      "/nowhere",
    ])
      for (const header of ["x-manifold-console", "X-Manifold-Console, content-type", "cookie"]) {
        const { headers } = await send(app.url + path, {
          method: "OPTIONS",
          headers: {
            Origin: "https://evil.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": header,
          },
        });
        const allowed = String(headers["access-control-allow-headers"]).toLowerCase().split(", ");
        assert.equal(allowed, ["content-type", "content-encoding", "x-http-method-override"], path);
        assert.is(headers["access-control-allow-credentials"], undefined, path);
      }
  });
});
