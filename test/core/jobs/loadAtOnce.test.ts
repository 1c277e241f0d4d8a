import * as assert from "uvu/assert";
import { loadAtOnce } from "../../../core/jobs/index.ts";
import { type ApiCall, anonymous } from "../../../core/base/index.ts";
import { suite } from "../../support/suite.ts";

suite("core/jobs/loadAtOnce", (test) => {
  test("only accelerating a dataset makes the clock look at once, after the change", async () => {
    const events: string[] = [];
    const { associate, dissociate } = loadAtOnce(
      {
        associate: async () => void events.push("associated"),
        dissociate: async () => void events.push("dissociated"),
      },
      { look: async () => void events.push("looked") },
    );
    const call = (role: string): ApiCall => ({
      resource: "securable",
      action: "associate",
      body: { resource: { role } },
      principal: anonymous,
      requestId: "1",
      address: undefined,
      signal: new AbortController().signal,
    });
    await associate?.(call("Acceleration"));
    await associate?.(call("Groups"));
    await dissociate?.(call("Acceleration"));
    assert.equal(events, ["associated", "looked", "associated", "dissociated"]);
  });
});
