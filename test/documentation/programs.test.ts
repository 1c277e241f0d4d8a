import { execFile, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { noteMissing } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);

/** Sends a request as curl does, and retries until the program listens. */
const requesting = `
  const args = process.argv.slice(1);
  const headers = args.flatMap((each, index) => (args[index - 1] === "-H" ? [each.split(": ")] : []));
  const method = args.includes("-X") ? args[args.indexOf("-X") + 1] : "GET";
  const url = args.find((each) => each.startsWith("http"));
  for (;;)
    try {
      const answer = await fetch(url, { method, headers });
      console.log(answer.status, await answer.text());
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
`;

/**
 * Replaces the commands in the blocks with commands that run from the sources. The shell stops background programs when
 * it exits.
 */
const prelude = `
node() { exec "$NODE" --conditions=manifold-source "$@"; }
curl() { "$NODE" --input-type=module -e "$ASKING" -- "$@"; }
npx() { shift; curl "\${@: -1}/health" > /dev/null; "$NODE" "$MAIN" "$@"; }
trap 'kill $!; wait' EXIT
`;

/** The expected output of the last command on each page. */
const printed: Readonly<Record<string, RegExp>> = {
  "examples/minimal-plugin/README.md": /^200 .*"airports".*"passengers"/m,
  "examples/python-plugin/README.md": /passed: \d+ proved, 0 wrong/,
  "examples/sql-connector/README.md": /^200 .*"public\.trips"/m,
};

suite("documentation/programs", (test) => {
  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  for (const [page, wanted] of Object.entries(printed)) {
    if (page.includes("python") && !hasPython) {
      noteMissing("python3, for examples/python-plugin");
      continue;
    }
    test.deep(`the program in ${page} starts and prints what the page shows`, async () => {
      const [block] = blocksFor(page, "programs");
      assert.ok(block);
      const port = String(await freePort());
      const text = block.text.replaceAll(/\b70\d\d\b/g, port);
      const { stdout } = await run("bash", ["-eu", "-c", prelude + text], {
        cwd: join(root, dirname(page)),
        env: {
          PATH: process.env["PATH"],
          NODE: process.execPath,
          MAIN: join(root, "core/cli/main.ts"),
          ASKING: requesting,
        },
      });
      assert.match(stdout, wanted);
    });
  }
});
