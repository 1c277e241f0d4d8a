import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { fillDataFolder } from "../support/fillDataFolder.ts";
import { startHostProcess, type HostProcess } from "../support/hostProcess.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);
const [block] = blocksFor("docs/RUNNING.md", "backup");

const countRows = async ({ client }: HostProcess, datasetId: string) => {
  const measure = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  return (await client.get<{ data: unknown }>("data", { dimensions: [], measures: [measure] }))
    .data;
};

suite("documentation/backup", (test) => {
  test.deep(
    "the commands in docs/RUNNING.md back up a running host, check the backup and restore it",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      const dataDir = join(folder, ".manifold");
      const hosts: HostProcess[] = [];
      try {
        mkdirSync(dataDir);
        await fillDataFolder(dataDir);
        const host = await startHostProcess(dataDir);
        hosts.push(host);
        const { rows } = await host.client.create<{ rows: { id: string }[] }>("data", {
          type: "create",
          data: [
            ["Ghent", 3],
            ["Lille", 5.5],
          ],
          options: { header: ["city", "km"] },
        });
        const [{ id } = { id: "" }] = rows;
        mkdirSync(join(folder, "safe"));
        const text = block?.text.replaceAll(/ \/(?=backups|safe)/g, ` ${folder}/`) ?? "";
        const manifold = `manifold() { "${process.execPath}" "${join(root, "core/cli/main.ts")}" "$@"; }`;
        const { stdout } = await run("bash", ["-eu", "-c", `${manifold}\n${text}`], {
          cwd: folder,
        });
        assert.match(stdout, /is complete.*\nrestored .* 2 rows/);
        await host.end("SIGTERM");
        const secret = readFileSync(join(folder, "safe/secret"), "utf8").trim();
        const restored = await startHostProcess(join(folder, "new"), { MANIFOLD_SECRET: secret });
        hosts.push(restored);
        assert.equal(await countRows(restored, id), [[2]]);
      } finally {
        for (const host of hosts) await host.end("SIGTERM");
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
