import * as assert from "uvu/assert";
import { pages } from "../../../../core/web/console/shell/pages.ts";
import { pagePaths } from "../../../../core/http/middleware/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/web/console/shell/pages", (test) => {
  test("the host serves exactly the addresses of the console's pages", () => {
    const paths: readonly string[] = pages.map(({ path }) => path).filter((path) => path !== "");
    assert.equal(paths, [...pagePaths]);
  });
});
