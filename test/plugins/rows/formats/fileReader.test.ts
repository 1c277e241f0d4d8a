/** This file costs more than most, because a reader process has to refuse more than forty hostile files. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { open } from "../../../../connectors/files/index.ts";
import { PluginError, type Plugin } from "../../../../plugins/protocol/index.ts";
import { openReach } from "../../../support/openReach.ts";
import { suite } from "../../../support/suite.ts";
import { amplifyingFiles } from "./amplifyingFiles.ts";

/** A time limit in milliseconds. It is generous, because no result depends on it, and a busy machine may be slow. */
const timeoutMs = 150_000;

suite("plugins/rows/formats/fileReader", (test) => {
  let folder: string;
  let plugin: Plugin;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-amplifying-")));
    plugin = await open({ reach: openReach(folder), timeoutMs, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  let rowCount: number;

  /** Describes a file and counts the values of its first column. Returns the error message if reading fails. */
  const read = async (name: string): Promise<string | number> => {
    rowCount = 0;
    const call = {
      credentials: { host: join(folder, name), properties: {} },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(timeoutMs),
    };
    try {
      for (const dataset of await plugin.datasets(call)) {
        const columns = dataset.columns.slice(0, 1).map(({ id }) => ({ column_id: id }));
        const query = { id: dataset.id, columns, filters: [], options: { pushdown: false } };
        await plugin.scan!({
          ...call,
          query,
          dataset,
          take: async (batch) => void (rowCount += batch.rowCount),
        });
      }
      return rowCount;
    } catch (failure) {
      assert.instance(failure, PluginError, String(failure));
      assert.is((failure as PluginError).status, 422, String(failure));
      return (failure as PluginError).message;
    }
  };

  for (const { title, name, build, refusal, isLong } of amplifyingFiles)
    (isLong ? test.deep : test)(
      `a file with ${title} (${name}) is ${refusal ? "refused" : "read"}`,
      async () => {
        writeFileSync(join(folder, name), build());
        const usedBefore = process.cpuUsage();
        const memoryBefore = process.memoryUsage().rss;
        const answer = await read(name);
        const used = process.cpuUsage(usedBefore);
        const grownBytes = process.memoryUsage().rss - memoryBefore;
        rmSync(join(folder, name));
        if (refusal) {
          assert.match(String(answer), refusal);
          assert.match(String(answer), name);
        } else assert.type(answer, "number");
        // The host only passes on rows that readers send, so the sizes that a file declares do not cost the host any
        // time or memory.
        const usedS = (used.user + used.system) / 1e6;
        const mostS = 2 + rowCount * 1e-6;
        assert.ok(usedS < mostS, `the host used ${usedS} s for ${rowCount} rows`);
        assert.ok(grownBytes < 300 * 2 ** 20, `the host grew by ${grownBytes} bytes`);
      },
    );
});
