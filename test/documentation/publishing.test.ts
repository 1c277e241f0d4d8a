import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { runPluginCommand } from "../../core/operating/authoring/index.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { buildPackages, type BuiltPackages, shell } from "../support/buildPackages.ts";
import { openRegistry, type Registry, registryOfTree } from "../support/openRegistry.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

const page = "docs/PUBLISH_A_PLUGIN.md";
const blocks = blocksFor(page, "publishing").filter(({ language }) => language === "sh");
const [name, check, version, pack, attempt, publish] = blocks.map(({ text }) => text);
const token = "a-token-of-the-page";
const main = join(root, "core/cli/main.ts");

/**
 * Replaces npm and npx on the page. The library is not in a registry yet, so packages are installed together with it.
 * The command `manifold` runs from these sources.
 */
const prelude = `
npm() {
  if [ "$1" = install ] && [ $# -gt 1 ]; then command npm "$@" "$LIBRARY" --no-audit --no-fund
  else command npm "$@"; fi
}
npx() { shift; node --conditions=manifold-source "${main}" "$@"; }
`;

suite("documentation/publishing", (test) => {
  test.deep(
    "with the commands on the page about publishing, an author names, tests, packs, tries and publishes a new plugin",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-publishing-"));
      const project = join(folder, "trips-plugin");
      let built: BuiltPackages | undefined;
      let registry: Registry | undefined;
      try {
        built = await buildPackages();
        const packed = await shell(
          `npm pack --silent --ignore-scripts --pack-destination ${folder}`,
          built.dist("plugin"),
        );
        const library = join(folder, packed.stdout.trim());
        const write = () => {};
        const io = { environment: {}, write, note: write };
        assert.is(await runPluginCommand(["new", "trips-plugin", "--folder", project], io), 0);
        await shell(
          `npm pkg set "devDependencies.@manifold-analytics/plugin=file:${library}"`,
          project,
        );
        const options = { scope: "@acme", token, others: await registryOfTree() };
        registry = await openRegistry(options);
        const settings = join(folder, "npmrc");
        writeFileSync(settings, `${registry.url.replace("http:", "")}/:_authToken=${token}\n`);
        const here = {
          LIBRARY: library,
          npm_config_registry: registry.url,
          npm_config_userconfig: settings,
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_AUTHOR_NAME: "Acme",
          GIT_AUTHOR_EMAIL: "acme@example.org",
          GIT_COMMITTER_NAME: "Acme",
          GIT_COMMITTER_EMAIL: "acme@example.org",
        };
        const bash = async (text = "", cwd = project) =>
          (await shell(prelude + text, cwd, here)).stdout;

        await bash(name);
        assert.match(await bash(check), / 0 wrong/);
        assert.ok(existsSync(join(project, "badge.svg")));
        await bash("git init --quiet && git add -A && git commit --quiet -m 'First version'");
        await bash(version);
        assert.is((await bash("git tag")).trim(), "v1.0.0");
        writeFileSync(join(project, "LICENSE"), "MIT\n");
        const listed = (await bash(pack)).split("\n");
        for (const path of [
          "dist/plugin.js",
          "dist/serve.js",
          "package.json",
          "README.md",
          "LICENSE",
        ])
          assert.ok(listed.includes(`package/${path}`), path);
        assert.not.match(listed.join("\n"), /package\/(src|test|scripts|node_modules|\.)/);
        const tried = await bash(attempt);
        assert.match(tried, "[ 'default' ]");
        assert.match(tried, / 0 wrong/);
        await bash(publish);
        await bash(publish).then(
          () => assert.unreachable("the same version was published twice"),
          (failure: { readonly stderr?: string }) =>
            assert.match(failure.stderr ?? "", /cannot publish over/i, failure.stderr ?? ""),
        );

        const document = registry.published("@acme/trips-plugin");
        assert.equal(document?.["dist-tags"], { latest: "1.0.0" });
        const published = document?.versions["1.0.0"];
        assert.is(published?.["license"], "MIT");
        assert.is(published?.["dependencies"], undefined);
        const user = join(folder, "user");
        mkdirSync(user);
        writeFileSync(join(user, "package.json"), '{ "type": "module" }');
        await bash("npm install @acme/trips-plugin", user);
        const lock = JSON.parse(readFileSync(join(user, "package-lock.json"), "utf8"));
        const { integrity } = lock.packages["node_modules/@acme/trips-plugin"];
        assert.is(integrity, published?.dist.integrity);
        const imported = await bash(
          `node -e 'import("@acme/trips-plugin").then(console.log)'`,
          user,
        );
        assert.match(imported, "default");
      } finally {
        await registry?.close();
        built?.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test("the publishing workflow of a new plugin runs the documented command with provenance, after the tests", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-publishing-"));
    try {
      const io = { environment: {}, write: () => {}, note: () => {} };
      await runPluginCommand(["new", "trips", "--folder", join(folder, "trips")], io);
      const workflow = parse(
        readFileSync(join(folder, "trips/.github/workflows/publish.yml"), "utf8"),
      );
      const { steps, permissions } = workflow.jobs.publish;
      assert.equal(permissions, { contents: "read", "id-token": "write" });
      const commands = (steps as readonly { readonly run?: string }[]).flatMap(
        ({ run }) => run ?? [],
      );
      assert.is(commands.at(-1), publish?.replace("publish", "publish --provenance"));
      assert.ok(commands.includes("npm test"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
