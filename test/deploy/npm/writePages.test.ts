import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { pageSets, rewriteLinks, writePages } from "../../../deploy/npm/writePages.ts";
import { root } from "../../../docs/.vitepress/pages.ts";
import { packageNames } from "../../support/buildPackages.ts";
import { suite } from "../../support/suite.ts";

const moved = new Map([
  ["deploy/npm/host.md", "README.md"],
  ["docs/RUNNING.md", "docs/RUNNING.md"],
  ["docs/connectors/duckdb.md", "docs/connectors/duckdb.md"],
  ["docs/plan.png", "docs/plan.png"],
]);
const rewritten = (text: string, page = "docs/RUNNING.md") => rewriteLinks(text, page, moved);

suite("deploy/npm/writePages", (test) => {
  test("links within a package lead to the package's own pages, with their anchors", () => {
    for (const [page, text, expected] of [
      ["deploy/npm/host.md", "[run](../../docs/RUNNING.md#data)", "[run](docs/RUNNING.md#data)"],
      ["docs/connectors/duckdb.md", "[run](../RUNNING.md)", "[run](../RUNNING.md)"],
      ["docs/RUNNING.md", "[start](../deploy/npm/host.md)", "[start](../README.md)"],
      ["docs/RUNNING.md", "![a plan](plan.png)", "![a plan](plan.png)"],
    ] as const)
      assert.is(rewritten(text, page), expected);
  });

  test("links to files that the package lacks become text, and pictures that it lacks are left out", () => {
    assert.is(rewritten("see [the\nreasons](decisions/egress.md#why)."), "see the\nreasons.");
    assert.is(rewritten("see [deploy](../deploy)."), "see deploy.");
    assert.is(rewritten("![a demo](demo.svg)text"), "text");
    for (const words of ["core/assistant", "`core/assistant`"])
      assert.is(
        rewritten(`see [${words}](../core/assistant/README.md)`),
        "see `core/assistant` in Manifold's source code",
      );
  });

  test("web addresses, code and links within a page stay unchanged", () => {
    for (const text of [
      "[semver](https://semver.org) and [below](#data)",
      "text\n\n```ts\nconst link = list[index](none);\n// [a](decisions/egress.md)\n```\n\ntext",
    ])
      assert.is(rewritten(text), text);
  });

  test("each package gets its README and pages, and the examples for its readers", () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-pages-"));
    try {
      assert.equal(Object.keys(pageSets).toSorted(), packageNames.toSorted());
      for (const name of packageNames) {
        const to = join(folder, name);
        writePages(name, to);
        const title = readFileSync(join(to, "README.md"), "utf8").split("\n")[0];
        assert.is(title, `# @manifold-analytics/${name}`);
        const pages = globSync("docs/**/*.md", { cwd: to });
        assert.ok(pages.length >= 4, `${name}: ${pages.join()}`);
        assert.ok(pages.every((page) => !page.includes("decisions")));
      }
      const python = join(folder, "plugin/python");
      const shipped = globSync("**/*.*", { cwd: python });
      for (const file of ["README.md", "pyproject.toml", "src/manifold_plugin/py.typed"])
        assert.ok(shipped.includes(file), file);
      const sources = globSync("src/**/*.py", { cwd: join(root, "plugins/python") });
      assert.equal(shipped.filter((file) => file.endsWith(".py")).toSorted(), sources.toSorted());
      const page = readFileSync(join(folder, "plugin/docs/PLUGINS.md"), "utf8");
      assert.match(page, "](../python/README.md)");
      assert.ok(globSync("examples/minimal-plugin/plugin.ts", { cwd: join(folder, "plugin") })[0]);
      assert.ok(globSync("examples/embed/pages/react/*", { cwd: join(folder, "embed") })[0]);
      assert.ok(globSync("examples/three-sources/main.ts", { cwd: join(folder, "host") })[0]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
