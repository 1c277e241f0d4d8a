import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openSpool } from "../../../../../core/sources/data/uploads/openSpool.ts";
import { needsSmallDisk, openSmallDisk } from "../../../../support/smallDisk.ts";
import { refusal } from "../../../../support/refused.ts";
import { suite } from "../../../../support/suite.ts";
import { openUploader } from "./openUploader.ts";

const mebibyte = 2 ** 20;
/** A file of 1.6 MB. Few long rows are cheaper to read than many short ones. */
const many = `n\n${`${"x".repeat(799)}\n`.repeat(2_000)}`;
const create = { action: "create", properties: { type: "create" } };

async function* bytesOf(...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

suite("core/sources/data/uploads/limits", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-spool-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  test("a file above the largest size is refused with the setting that limits it", async () => {
    const uploader = await openUploader({ uploadMb: 1 });
    try {
      const { status, body } = await uploader.send(create, many);
      assert.is(status, 413);
      assert.match(body.message ?? "", /larger than 1 MiB.*MANIFOLD_UPLOAD_MB/);
    } finally {
      await uploader.host.close();
    }
  });

  test("a file above the quotas of the organization stores nothing", async () => {
    const uploader = await openUploader({ quotas: "rows=1000" });
    try {
      const refused = await uploader.send(create, `n\n${"1234567\n".repeat(2000)}`);
      assert.is(refused.status, 403);
      assert.is(refused.body.type?.code, "QUOTA_FULL");
      const stored = await uploader.create(`n\n${"1\n".repeat(900)}`);
      const append = { type: "append", securable_id: stored.id };
      const appended = await uploader.send(
        { action: "create", properties: append },
        `n\n${"1\n".repeat(200)}`,
      );
      assert.is(appended.status, 403);
      const replace = { type: "replace", securable_id: stored.id };
      const replaced = await uploader.send(
        { action: "create", properties: replace },
        `n\n${"2\n".repeat(950)}`,
      );
      assert.is(replaced.status, 200, replaced.body.message);
      const { body } = await uploader.call("securable", { action: "get", find: {} });
      assert.equal(
        body.rows?.map((row) => (row as { rows: number }).rows),
        [950],
      );
    } finally {
      await uploader.host.close();
    }
  });

  test("the disk space of an organization and of the host is limited, and returned when a file is removed", async () => {
    const limits = { fileMb: 100, organizationMb: 2, totalMb: 3, count: 4 };
    const spool = await openSpool(join(folder, "space"), limits);
    const first = spool.create("a");
    await first.receive(bytesOf(mebibyte, mebibyte));
    const own = await refusal(first.receive(bytesOf(1)));
    assert.match(String(own.message), /your organization.*2 MiB.*MANIFOLD_UPLOAD_ORGANIZATION_MB/);
    const second = spool.create("b");
    const all = await refusal(second.receive(bytesOf(mebibyte, 1)));
    assert.match(String(all.message), /the host.*3 MiB.*MANIFOLD_UPLOAD_TOTAL_MB/);
    assert.is(second.sizeBytes, mebibyte);
    await first.remove();
    await second.receive(bytesOf(mebibyte));
    await spool.close();
    assert.equal(readdirSync(join(folder, "space")), []);
  });

  test("an organization may run half of the uploads of a host", async () => {
    const limits = { fileMb: 1, organizationMb: 1, totalMb: 1, count: 3 };
    const spool = await openSpool(join(folder, "count"), limits);
    const ends = [spool.begin("a"), spool.begin("a")];
    assert.throws(() => spool.begin("a"), /2 uploads.*one organization.*MANIFOLD_UPLOADS/);
    ends.push(spool.begin("b"));
    assert.throws(() => spool.begin("c"), /3 uploads.*this host.*MANIFOLD_UPLOADS/);
    for (const end of ends) end();
    spool.begin("c")();
    await spool.close();
  });

  test("files of an earlier host are removed at start", async () => {
    const limits = { fileMb: 1, organizationMb: 1, totalMb: 1, count: 1 };
    const path = join(folder, "start");
    const first = await openSpool(path, limits);
    await first.create("a").receive(bytesOf(10));
    assert.is(readdirSync(path).length, 1);
    const second = await openSpool(path, limits);
    assert.is(readdirSync(path).length, 0);
    await Promise.all([first.close(), second.close()]);
  });
});

suite(
  "core/sources/data/uploads on a full disk",
  (test) => {
    test.deep("a full disk is reported, and the bytes before are intact", async () => {
      const disk = await openSmallDisk(4);
      try {
        const limits = { fileMb: 100, organizationMb: 100, totalMb: 100, count: 1 };
        const spool = await openSpool(join(disk.folder, "uploads"), limits);
        const file = spool.create("a");
        await file.receive(bytesOf(mebibyte));
        const failure = await refusal(file.receive(bytesOf(...Array<number>(64).fill(65_536))));
        assert.is(failure.code, "UPLOAD_DISK_FULL");
        await disk.free();
        assert.ok(file.sizeBytes >= mebibyte && file.sizeBytes % 65_536 === 0);
        const { size } = await import("node:fs/promises").then(({ stat }) => stat(file.path));
        assert.is(size, file.sizeBytes);
        await spool.close();
      } finally {
        await disk.close();
      }
    });
  },
  needsSmallDisk,
);
