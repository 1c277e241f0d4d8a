import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");

suite("core/web/client: programs", (test) => {
  test("correct programs of embedders compile, and each incorrect statement causes a type error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-programs-"));
    try {
      const config = {
        extends: join(root, "tsconfig.json"),
        compilerOptions: { incremental: false, types: [], lib: ["esnext", "dom"] },
        include: [],
        exclude: [],
        files: [fileURLToPath(import.meta.resolve("./programs.ts"))],
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch(
        (failure: { stdout: string }) => failure,
      );
      assert.is(stdout, "");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
