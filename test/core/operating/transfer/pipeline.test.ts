import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { exportFolder, runTransfer } from "../../../../core/operating/transfer/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

interface Made {
  readonly id: string;
}

suite("core/operating/transfer/pipeline", (test) => {
  const dir = mkdtempSync(join(tmpdir(), "manifold-folder-"));
  let development: TenantHost;
  let production: TenantHost;
  const urls = {
    MANIFOLD_CHANNEL_OPS_WEBHOOK_URL: "https://ops.example.com/events",
    MANIFOLD_CHANNEL_OPS_SLACK_URL: "https://hooks.slack.example.com/x",
  };
  test.before(async () => {
    development = await openTenantHost({});
    production = await openTenantHost({});
    const { client } = development;
    const { rows } = await client.create<{ rows: { id: string; columns: Made[] }[] }>("data", {
      type: "create",
      data: [["Ghent", 3]],
      options: { header: ["city", "km"], name: { en: "Trips" } },
    });
    const [trips] = rows;
    // Members that the API does not know are kept, and may refer to datasets.
    const contents = { views: [], datasets: [trips?.id] };
    await client.create("securable", { type: "dashboard", name: { en: "Board" }, contents });
    await client.create("securable", { type: "dashboard", name: { en: "Old" }, contents: {} });
    for (const type of ["webhook", "slack"] as const)
      await client.create("channel", {
        type,
        name: { en: "Ops" },
        config: { url: `https://${type}.example.com/` },
      });
    await exportFolder({ client, dir });
  });
  test.after(async () => {
    rmSync(dir, { recursive: true, force: true });
    await development?.close();
    await production?.close();
  });

  const run = async (
    args: readonly string[],
    environment: object = {},
    lines: string[] = [],
  ): Promise<string[]> => {
    const { url, key, token } = production;
    const pair = { MANIFOLD_URL: url, MANIFOLD_KEY: key, MANIFOLD_TOKEN: token };
    await runTransfer("apply", ["--dir", dir, ...args], { ...pair, ...environment }, (line) =>
      lines.push(line),
    );
    return lines;
  };
  const fails = (args: readonly string[], environment: object = {}): Promise<string> =>
    run(args, environment).then(
      () => "nothing failed",
      (failure: Error) => failure.message,
    );
  const fileOf = (folder: string, name: string) =>
    join(dir, folder, readdirSync(join(dir, folder)).find((file) => file.startsWith(name)) ?? "");

  test.deep(
    "channels with the same name get variables that contain their types, and keep these variables in later exports",
    async () => {
      const text = () =>
        readdirSync(join(dir, "channels"))
          .map((name) => readFileSync(join(dir, "channels", name), "utf8"))
          .join("\n");
      for (const name of [...Object.keys(urls), "MANIFOLD_CHANNEL_OPS_SECRET"])
        assert.match(text(), `\${${name}}`);
      const before = text();
      const { client } = development;
      const { rows } = await client.get<{ rows: Made[] }>("channel", { where: { type: "slack" } });
      await client.delete("channel", rows[0]!.id);
      const webhook = () => readFileSync(fileOf("channels", "ops"), "utf8");
      await exportFolder({ client, dir });
      assert.match(webhook(), "${MANIFOLD_CHANNEL_OPS_WEBHOOK_URL}");
      await client.create("channel", {
        type: "slack",
        name: { en: "Ops" },
        config: { url: "https://slack.example.com/" },
      });
      await exportFolder({ client, dir });
      assert.is(text().length, before.length);
    },
  );

  test.deep(
    "a dry run without secrets lists every change and every missing secret, and fails",
    async () => {
      const lines: string[] = [];
      const failure = await run(["--dry-run"], {}, lines).then(
        () => "nothing failed",
        ({ message }: Error) => message,
      );
      assert.match(failure, "2 of its secrets are missing");
      for (const line of ['would create dataset "Trips"', 'would create dashboard "Board"'])
        assert.ok(
          lines.some((each) => each.startsWith(line)),
          lines.join("\n"),
        );
      const missing = lines.filter((line) => line.startsWith("missing: "));
      assert.is(missing.length, 2);
      for (const name of Object.keys(urls)) assert.match(missing.join("\n"), name);
      assert.match(await fails([]), "MANIFOLD_CHANNEL_OPS_SLACK_URL");
    },
  );

  test.deep(
    "the --only option accepts names of folders, and the error names a missing folder that a chosen record needs",
    async () => {
      assert.match(await fails(["--only", "boards"]), '"boards"; the folders are plugins, groups,');
      assert.match(
        await fails(["--only", "dashboards"]),
        /needs the dataset "Trips" of datasets\/trips-.*; add datasets to --only/,
      );
    },
  );

  test.deep(
    "--only creates and changes only the chosen records, and needs no other secrets",
    async () => {
      const lines = await run(["--only", "dashboards,datasets"]);
      assert.match(lines.join("\n"), "it has no rows yet; push them with data create");
      assert.match(lines.at(-1) ?? "", /^\d+ created, 0 changed, 0 unchanged$/);
      assert.is((await production.client.get("channel")).count, 0);
      assert.match((await run(["--only", "dashboards"])).at(-1) ?? "", "nothing to change: all 2 ");
    },
  );

  test.deep(
    "`apply` prints the secret that the host creates for a webhook exactly once",
    async () => {
      const lines = await run([], urls);
      const shown = lines.filter((line) => line.includes("the secret of the channel"));
      assert.is(shown.length, 1);
      assert.match(shown[0] ?? "", "whsec_");
      assert.match((await run([], urls)).at(-1) ?? "", "nothing to change");
    },
  );

  test.deep(
    "a removed file deletes its record only with --prune, after a dry run or a confirmation",
    async () => {
      const { client } = production;
      await client.create("securable", { type: "dashboard", name: { en: "Mine" }, contents: {} });
      const names = async () =>
        (
          await client.get<{ rows: { name: { en: string } }[] }>("securable", {
            where: { type: "dashboard" },
          })
        ).rows
          .map(({ name }) => name.en)
          .toSorted();
      const path = fileOf("dashboards", "old");
      const kept = readFileSync(path, "utf8");
      rmSync(path);
      assert.match(
        (await run([], urls)).join("\n"),
        /"Old" .*; its file is gone, and --prune deletes it/,
      );
      assert.match(await fails(["--prune"], urls), "confirm with --yes");
      const planned = await run(["--prune", "--dry-run"], urls);
      assert.match(planned.join("\n"), 'would delete dashboard "Old"');
      assert.equal(await names(), ["Board", "Mine", "Old"]);
      await run(["--prune", "--yes", "--only", "datasets"], urls);
      assert.equal(await names(), ["Board", "Mine", "Old"]);
      const lines = await run(["--prune", "--yes"], urls);
      assert.match(lines.at(-1) ?? "", "0 created, 0 changed, 1 deleted");
      assert.equal(await names(), ["Board", "Mine"], "records of others are kept");
      writeFileSync(path, kept);
      assert.match((await run([], urls)).join("\n"), 'created dashboard "Old"');
    },
  );
});
