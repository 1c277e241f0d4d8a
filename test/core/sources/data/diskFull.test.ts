import { join } from "node:path";
import * as assert from "uvu/assert";
import { openHost, type Host } from "../../../../core/host.ts";
import { ownerKey, ownerToken } from "../../../support/hostProcess.ts";
import { ownerCalls } from "../../../support/ownerCalls.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { needsSmallDisk, openSmallDisk, type SmallDisk } from "../../../support/smallDisk.ts";
import { suite } from "../../../support/suite.ts";

const pair = { key: ownerKey, token: ownerToken };
/** Size of the disk in MB. PostgreSQL uses 80 MB at its first start. */
const diskMb = 200;

suite(
  "core/host: the disk of the data folder is full",
  (test) => {
    let disk: SmallDisk;
    let host: Host;
    test.before(async () => {
      disk = await openSmallDisk(diskMb);
      host = await openHost({
        ...testOptions,
        ...pair,
        dataDir: join(disk.folder, "data"),
        databaseUrl: undefined,
        warmUp: false,
      });
    });
    test.after(async () => {
      await host?.close();
      await disk?.close();
    });

    const { call, push, pushUntilTaken, count } = ownerCalls(() => host.url);
    const rowsOf = (first: number) => Array.from({ length: 500 }, (_, row) => [first + row]);

    test.deep(
      "on a full disk, pushes fail with an error that says what to do, and stored rows stay readable",
      async () => {
        const made = await push("made", { type: "create", data: rowsOf(0) });
        const id = String(made.body.rows[0].id);
        await disk.fill();
        const pushes = {
          append: { securable_id: id, data: rowsOf(1_000) },
          create: { type: "create", data: rowsOf(2_000), options: { name: { en: "late" } } },
        };
        for (const [name, properties] of Object.entries(pushes)) {
          const { status, body } = await push(name, properties);
          assert.ok([502, 507].includes(status), JSON.stringify(body));
          assert.match(body.message, /no space left on device|full/i);
        }
        assert.is(await count(id), 500);
        const replace = { type: "replace", securable_id: id, data: rowsOf(3_000) };
        assert.ok([502, 507].includes((await push("replace", replace)).status));
        assert.is(await count(id), 500, "a refused replace keeps the previous rows");
        await disk.free();
        for (const [name, properties] of Object.entries(pushes)) {
          const answer = await pushUntilTaken(name, properties);
          assert.equal((await push(name, properties)).body, answer.body);
        }
        assert.is(await count(id), 1_000);
        const find = { where: { id }, attributes: ["rows"] };
        assert.equal((await call("securable", { action: "get", find })).body.rows[0].rows, 1_000);
      },
    );
  },
  needsSmallDisk,
);
