import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { openPeople } from "../core/openPeople.ts";
import { suite } from "../support/suite.ts";
import { matchAnswer } from "./matchAnswer.ts";
import { blocksFor, placeOf } from "./readBlocks.ts";
import { runTypeScript } from "./runHowTo.ts";

const run = promisify(execFile);
const page = "docs/how-to/DASHBOARDS_AS_FILES.md";
const main = join(root, "core/cli/main.ts");
/** Runs the `manifold` command from these sources. */
const prelude = `npx() { shift; "${process.execPath}" --conditions=manifold-source "${main}" "$@"; }\n`;

/** Returns the pattern of a line of output, in which words in angle brackets stand for any text. */
function patternOf(line: string): RegExp {
  const parts = line.split(/<[a-z]+>/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".+")}$`, "m");
}

suite("documentation/howToFiles", (test) => {
  test.deep(
    "the steps on the page about dashboards as files export, try and release a dashboard",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      const people = await openPeople();
      try {
        const { key, token } = people.owner.pair;
        const { url } = people.host;
        await runTypeScript(page, { url, key, token });
        const env = {
          PATH: process.env["PATH"],
          HOME: folder,
          MANIFOLD_URL: url,
          MANIFOLD_KEY: key,
          MANIFOLD_TOKEN: token,
        };
        let printed = "";
        for (const block of blocksFor("docs/how-to/DASHBOARDS_AS_FILES.md", "howToFiles"))
          if (block.language === "sh") {
            const script = `exec 2>&1\n${prelude}${block.text}`;
            printed = (await run("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env }))
              .stdout;
          } else if (block.language === "json") {
            const [file] = globSync(join(folder, "model/dashboards/trips-*.json"));
            const stored: unknown = JSON.parse(readFileSync(file ?? "", "utf8"));
            const difference = matchAnswer(JSON.parse(block.text), stored, new Map());
            assert.is(difference, undefined, placeOf(block));
          } else
            for (const line of block.text.split("\n"))
              assert.match(printed, patternOf(line), placeOf(block));
      } finally {
        await people.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
