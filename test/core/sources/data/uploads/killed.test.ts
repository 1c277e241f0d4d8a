import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openTestCatalog } from "../../../../support/catalog.ts";
import { eventually } from "../../../../support/eventually.ts";
import { ownerKey, ownerToken, startHostProcess } from "../../../../support/hostProcess.ts";
import { testSecret } from "../../../../support/openTestHost.ts";
import { suite } from "../../../../support/suite.ts";
import { uploaderOf, type StoredDataset } from "./openUploader.ts";

const fileOf = (rowCount: number) =>
  `city,fare\n${Array.from({ length: rowCount }, (_, row) => `city ${row % 1000},${row}\n`).join("")}`;

/**
 * Returns the id of a reader process of a host, from the list of processes that Linux keeps. Its script is the source
 * `fileReader.ts` or a bundle named `reader3.js`.
 */
function readerOf(hostPid: number): number | undefined {
  const pids = readFileSync(`/proc/${hostPid}/task/${hostPid}/children`, "utf8").trim().split(" ");
  const found = pids.find((pid) => {
    try {
      return /reader[^/]*\0$/iu.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    } catch {
      return false;
    }
  });
  return found === undefined ? undefined : Number(found);
}

const isLinux = process.platform === "linux" ? {} : { missing: "the list of processes of Linux" };

suite(
  "core/sources/data/uploads/killed",
  (test) => {
    test.deep(
      "kill -9 of the reader or the host while a file is read leaves no dataset, no added row and no file",
      async () => {
        const catalog = await openTestCatalog();
        const folder = mkdtempSync(join(tmpdir(), "manifold-killed-"));
        const settings = {
          DATABASE_URL: catalog.databaseUrl,
          MANIFOLD_SECRET: testSecret,
          MANIFOLD_WARM_UP: "off",
          MANIFOLD_WORKERS: "1",
        };
        let host = await startHostProcess(folder, settings);
        try {
          const file = fileOf(600_000);
          let uploader = uploaderOf(host.url, ownerKey, ownerToken);
          const dataset = await uploader.create("city,fare\nOslo,1\n", "a.csv");
          const kinds = [
            { type: "create" },
            { type: "append", securable_id: dataset.id },
            { type: "replace", securable_id: dataset.id },
          ];
          const untilReading = (requestId: string) =>
            eventually(async () => {
              const { body } = await uploader.call("data", {
                action: "validate",
                request_id: requestId,
              });
              return "state" in body && body.state === "reading";
            }, "the host reads the file");
          const changeId = crypto.randomUUID();
          const changed = { action: "create", request_id: changeId, properties: kinds[1] };
          const reading = uploader.send(changed, file);
          await untilReading(changeId);
          const readerPid = await eventually(() => readerOf(host.pid), "a reader process runs");
          process.kill(readerPid, "SIGKILL");
          const { status, body: failed } = await reading;
          assert.is(status, 422, failed.message);
          assert.match(failed.message ?? "", /the process that reads it ended unexpectedly/);
          assert.equal(await uploader.read(dataset), [["Oslo", 1]]);
          assert.equal(readdirSync(join(folder, "uploads")), []);
          for (const properties of kinds) {
            const requestId = crypto.randomUUID();
            const members = { action: "create", request_id: requestId, properties };
            const sending = uploader.send(members, file).catch(() => undefined);
            await untilReading(requestId);
            await host.end("SIGKILL");
            await sending;
            host = await startHostProcess(folder, settings);
            uploader = uploaderOf(host.url, ownerKey, ownerToken);
            assert.equal(readdirSync(join(folder, "uploads")), []);
            const { body } = await uploader.call("securable", { action: "get", find: {} });
            assert.equal(
              (body.rows as readonly StoredDataset[]).map(({ id, rows }) => [id, rows]),
              [[dataset.id, 1]],
            );
            assert.equal(await uploader.read(dataset), [["Oslo", 1]]);
          }
        } finally {
          await host.end("SIGTERM");
          rmSync(folder, { recursive: true, force: true });
          await catalog.close();
        }
      },
    );
  },
  isLinux,
);
