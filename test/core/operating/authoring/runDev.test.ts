import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runDev } from "../../../../core/operating/authoring/runDev.ts";
import { runPluginCommand } from "../../../../core/operating/authoring/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantHost, type TenantHost } from "../transfer/openTenantHost.ts";

const root = join(import.meta.dirname, "../../../..");

suite("core/operating/authoring/runDev", (test) => {
  let dir: string;
  let host: TenantHost | undefined;
  const started = new Set<{ stop(): void; readonly ended: Promise<unknown> }>();
  const here = process.cwd();
  test.before(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "manifold-dev-")));
    mkdirSync(join(dir, "node_modules/@manifold-analytics"), { recursive: true });
    symlinkSync(join(root, "plugins"), join(dir, "node_modules/@manifold-analytics/plugin"));
    process.chdir(dir);
  });
  test.after(async () => {
    for (const { stop } of started) stop();
    await Promise.allSettled([...started].map(({ ended }) => ended));
    process.chdir(here);
    rmSync(dir, { recursive: true, force: true });
    await host?.close();
  });

  /** Runs the command until `stop` is called. `until` waits for a line of output, or for the end of the command. */
  function startDev(environment: Readonly<Record<string, string>>, ...args: string[]) {
    const stop = Promise.withResolvers<void>();
    let heard = Promise.withResolvers<void>();
    const lines: string[] = [];
    const write = (line: string) => {
      lines.push(line);
      heard.resolve();
      heard = Promise.withResolvers();
    };
    const ended = runDev(
      ["living", ...args],
      { environment, write, note: write },
      () => stop.promise,
    );
    const until = async (wanted: RegExp, from = 0) => {
      while (!lines.slice(from).some((line) => wanted.test(line)))
        await Promise.race([heard.promise, ended]);
      return lines.length;
    };
    const dev = { lines, until, ended, stop: () => stop.resolve() };
    started.add(dev);
    return dev;
  }

  test.deep(
    "`plugin dev` registers a plugin at a host and prints its queries and changes",
    async () => {
      host = await openTenantHost({ callsPerSecond: 0 });
      const { client, key, token, url } = host;
      const made = { environment: {}, write: () => {}, note: () => {} };
      assert.is(await runPluginCommand(["new", "living"], made), 0);
      const secret = "dev-secret-31";
      const pair = { MANIFOLD_KEY: key, MANIFOLD_TOKEN: token, MANIFOLD_URL: `${url}/` };
      const dev = startDev({ PLUGIN_SECRET: secret, ...pair });
      await dev.until(/its MANIFOLD_EGRESS_ALLOW names 127\.0\.0\.1:\d+/);
      const records = async () => (await client.get("plugin", { where: { slug: "living" } })).rows;
      const [record] = await records();
      assert.match(dev.lines.join("\n"), `the plugin listens on ${String(record?.["base_url"])}`);

      const properties = { provider: "living", name: "living", cache: 0 };
      const account = await client.create("account", properties);
      const provider = { provider: "living", account_id: account["id"], datasets: ["trips"] };
      const { data } = await client.create<{ data: { id: string }[] }>("dataprovider", provider);
      const dataset_id = String(data[0]?.id);
      const { rows: columns } = await client.get("column", { where: { securable_id: dataset_id } });
      const column = (name: string) => ({
        dataset_id,
        column_id: columns.find((each) => each["source_name"] === name)?.["id"],
      });
      const cities = async () => {
        const find = { dimensions: [column("city")], measures: [] };
        const answer: unknown = await client.get("data", find);
        const { data: cells } = answer as { data: readonly (readonly { id: string }[])[] };
        return cells.map(([cell]) => cell?.id);
      };
      let from = dev.lines.length;
      const before = await cities();
      assert.ok(before.includes("Ghent"), before.join());
      await dev.until(/^ *\d+\.\d ms {2}trips \[(rows|groups).*\] .*city.* {2}→ \d+ rows$/, from);

      const file = join(dir, "living/src/plugin.ts");
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("Ghent", "Zierikzee"));
      from = await dev.until(/^loaded again$/, from);
      assert.ok((await cities()).includes("Zierikzee"));

      // The command reports a mistake in the plugin, and serves the plugin again after the mistake is fixed.
      const whole = readFileSync(file, "utf8");
      writeFileSync(file, "export default 5;\n");
      from = await dev.until(/the plugin still runs as it was loaded at \d\d:\d\d:\d\d/, from);
      assert.match(dev.lines.join("\n"), "must have a plugin as its default export");
      // Callers get the answers of the last good version meanwhile.
      assert.ok((await cities()).includes("Zierikzee"));
      writeFileSync(file, `${whole}\nenum Color { red }\n`);
      from = await dev.until(/plugin\.ts:\d+:1: SyntaxError: TypeScript enum/, from);
      writeFileSync(file, whole);
      await dev.until(/^loaded again$/, from);
      assert.ok((await cities()).includes("Zierikzee"));
      dev.stop();
      assert.is(await dev.ended, 0);
      assert.not.match(dev.lines.join("\n"), secret);
      assert.not.match(dev.lines.join("\n"), token);

      // A second start updates the record instead of creating another.
      const again = startDev({ PLUGIN_SECRET: secret, ...pair });
      await again.until(/MANIFOLD_EGRESS_ALLOW/);
      const [moved, ...others] = await records();
      assert.equal(others, []);
      assert.is(moved?.["id"], record?.["id"]);
      assert.match(again.lines.join("\n"), String(moved?.["base_url"]));
      assert.ok((await cities()).includes("Zierikzee"));
      again.stop();
      await again.ended;

      // If the host refuses the record, the command and the plugin stop.
      const refused = startDev({ ...pair, MANIFOLD_TOKEN: "canary-token" });
      const failure = await refused.ended.then(() => "no refusal", String);
      assert.match(failure, /401|[Uu]nauthorized|token/);
      assert.not.match(failure + refused.lines.join("\n"), "canary");
      const listened = /http:\S+/.exec(refused.lines.join("\n"))?.[0] ?? "";
      await fetch(listened).then(
        () => assert.unreachable("the plugin still listens"),
        () => undefined,
      );
    },
  );

  test("the error of `plugin dev` for an invalid port names the --port option", async () => {
    for (const port of ["x", "-1", "65536", "1.5"]) {
      const notes: string[] = [];
      const io = {
        environment: {},
        write: () => {},
        note: (line: string) => void notes.push(line),
      };
      assert.is(await runPluginCommand(["dev", "living", `--port=${port}`], io), 2);
      assert.match(
        notes.join("\n"),
        `--port must be a whole number from 0 to 65535, not "${port}"`,
      );
    }
  });
});
