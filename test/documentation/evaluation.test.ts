import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { openModelStandIn } from "../support/modelStandIn.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);
const [block] = blocksFor("test/evaluation/README.md", "evaluation");

suite("documentation/evaluation", (test) => {
  test.deep(
    "the commands in test/evaluation/README.md question a model, report the cost and store the replies",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      const model = await openModelStandIn();
      try {
        const recordings = join(root, "test/evaluation/recordings");
        const replaced = {
          "https://models.example.com/v1": model.url,
          "=…": "=any",
          "a-name": relative(recordings, join(folder, "kept")),
          // The test sends only a few of the 112 questions, because sending all of them takes minutes.
          "npm run eval -- --prices": "npm run eval -- --only '^f-a' --prices",
          "'^s-'": "'^s-b'",
        };
        const text = Object.entries(replaced).reduce((changed, [from, to]) => {
          assert.match(changed, from);
          return changed.replaceAll(from, to);
        }, block?.text ?? "");
        const withNode = `${dirname(process.execPath)}:${process.env["PATH"]}`;
        const { stdout } = await run("bash", ["-eu", "-c", text], {
          cwd: root,
          env: { ...process.env, PATH: withNode, NODE_OPTIONS: "" },
        });
        const reports = Array.from(stdout.matchAll(/^\{\n.*?^\}$/gms), ([report]) =>
          JSON.parse(report),
        );
        assert.is(reports.length, 2);
        const [priced, kept] = reports;
        assert.is(priced.model, "any");
        assert.ok(priced.questionCount > 0 && priced.promptTokens > 0);
        assert.is(
          priced.cost,
          (0.4 * priced.promptTokens + 1.6 * priced.completionTokens) / 1_000_000,
        );
        assert.equal(Object.keys(kept.byLanguage), ["nl"]);
        const { replies } = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"));
        assert.is(Object.keys(replies).length, kept.questionCount);
      } finally {
        await model.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
