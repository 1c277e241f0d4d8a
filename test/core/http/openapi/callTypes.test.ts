import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { callTypes, fileOf, mark } from "../../../../core/http/openapi/callTypes.ts";
import { describedActions } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

const folder = join(import.meta.dirname, "../../../../core/web/client/calls");

suite("core/http/openapi/callTypes", (test) => {
  const written = callTypes(declarations);

  test("the types beside the client are those of the declarations: `npm run calls` writes them", () => {
    const kept = readdirSync(folder).filter((file) =>
      readFileSync(join(folder, file), "utf8").startsWith(mark),
    );
    assert.equal(kept.toSorted(), [...written.keys()].toSorted());
    const old = kept.filter(
      (file) => readFileSync(join(folder, file), "utf8") !== written.get(file),
    );
    assert.equal(old, []);
  });

  test("every action of every resource and service has the type of its call", () => {
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
