import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { openTenantHost, type TenantHost } from "../core/operating/transfer/openTenantHost.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);
const page = "docs/TRANSFER.md";
const blocksOf = (language: string) =>
  blocksFor("docs/TRANSFER.md", "transfer").filter((each) => each.language === language);

suite("documentation/transfer", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
  const hosts: TenantHost[] = [];
  test.after(async () => {
    for (const host of hosts) await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the workflow on the page about transfers is valid YAML, and its commands use only existing flags", async () => {
    const [block] = blocksOf("yaml");
    const workflow = parse(block?.text ?? "") as {
      jobs: { apply: { steps: { run?: string }[] } };
    };
    const commands = workflow.jobs.apply.steps.map((step) => step.run ?? "").join("\n");
    const { transferUsage } = await import("../../core/operating/transfer/index.ts");
    const usage = `${transferUsage.join("\n")} --yes`;
    for (const [flag] of commands.matchAll(/(?<=manifold apply.*)--[\w-]+/g))
      assert.match(usage, flag, page);
  });

  test.deep(
    "the steps on the page about transfers release a model from development to production",
    async () => {
      const open = async () => {
        const host = await openTenantHost();
        hosts.push(host);
        return host;
      };
      const [development, production] = [await open(), await open()];
      const { client } = development;
      for (const name of ["Board", "Old"])
        await client.create("securable", { type: "dashboard", name: { en: name }, contents: {} });
      await client.create("channel", {
        type: "webhook",
        name: { en: "Ops" },
        config: { url: "https://ops.example.com/" },
      });
      const main = join(root, "core/cli/main.ts");
      writeFileSync(
        join(folder, "prelude.sh"),
        `npx() { shift; "${process.execPath}" --conditions=manifold-source "${main}" "$@"; }
git() { [ "$1" != rm ] || rm model/dashboards/old-*.json; }
`,
      );
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        DEVELOPMENT_URL: development.url,
        DEVELOPMENT_KEY: development.key,
        DEVELOPMENT_TOKEN: development.token,
        PRODUCTION_URL: production.url,
        PRODUCTION_KEY: production.key,
        PRODUCTION_TOKEN: production.token,
      };
      const dryRun = "apply --dir model --dry-run";
      const script = ["source ./prelude.sh", ...blocksOf("sh").map(({ text }) => text)]
        .join("\n")
        // The page says that the first dry run fails.
        .replace(dryRun, `${dryRun} && exit 9 || true`);
      const { stdout } = await run("bash", ["-euc", script], { cwd: folder, env });
      for (const line of [
        /^missing: channels\/ops-.* set the environment variable MANIFOLD_CHANNEL_OPS_URL$/m,
        /^created dashboard "Old"/m,
        /^would delete dashboard "Old"/m,
        /^deleted dashboard "Old"/m,
      ])
        assert.match(stdout, line);
      const { rows } = await production.client.get<{ rows: { name: { en: string } }[] }>(
        "securable",
        { where: { type: "dashboard" } },
      );
      assert.equal(
        rows.map(({ name }) => name.en),
        ["Board"],
      );
    },
  );
});
