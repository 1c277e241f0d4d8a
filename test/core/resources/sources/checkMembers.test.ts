import * as assert from "uvu/assert";
import { checkMembers } from "../../../../core/resources/sources/checkMembers.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/sources/checkMembers", (test) => {
  test("the error for an undeclared property lists the declared properties, or says that there are none", async () => {
    const refused = async (...ids: readonly string[]) =>
      String(
        await refusal(
          Promise.try(() =>
            checkMembers(
              { provider: "sqlite", properties: { colour: "canary" } },
              ids.map((id) => ({ id, label: id, type: "text" })),
            ),
          ),
        ),
      );
    assert.match(await refused(), /properties\.properties\.colour.*no properties of sqlite/);
    assert.match(await refused("file", "mode"), /colour.*file, mode/);
    assert.not.match(await refused(), /canary/);
  });
});
