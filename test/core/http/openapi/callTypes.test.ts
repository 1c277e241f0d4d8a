import * as assert from "uvu/assert";
import { callTypes, fileOf } from "../../../../core/http/openapi/callTypes.ts";
import { describedActions } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/openapi/callTypes", (test) => {
  const written = callTypes(declarations);

  test("the types of calls contain every action of every resource and service", () => {
    let count = 0;
    for (const [resource, listed] of describedActions(declarations)) {
      const text = written.get(`${fileOf(resource)}.ts`) ?? "";
      for (const action of listed) {
        assert.match(
          text,
          `\n  readonly ${action}: {\n    readonly members: `,
          `${action} ${resource}`,
        );
        count += 1;
      }
      assert.match(written.get("calls.ts") ?? "", `\n  readonly ${resource}: `);
    }
    assert.ok(count > 150, String(count));
  });
});
