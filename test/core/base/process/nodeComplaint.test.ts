import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { nodeComplaint } from "../../../../core/base/process/index.ts";
import { suite } from "../../../support/suite.ts";

const manifest = join(import.meta.dirname, "../../../../package.json");

suite("core/base/process/nodeComplaint", (test) => {
  test("the message for an old Node names its version and the required one", () => {
    const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(
      readFileSync(manifest, "utf8"),
    );
    const least = Number(/^>=(\d+)$/.exec(engines.node)?.[1]);
    for (const version of ["20.20.2", "9.11.2", `${least - 1}.9.0`])
      assert.match(
        nodeComplaint(version) ?? "",
        `needs Node ${least} or newer, but this is Node ${version}`,
      );
    for (const version of [`${least}.0.0`, `${least + 4}.1.0`, process.versions.node])
      assert.is(nodeComplaint(version), undefined);
  });
});
