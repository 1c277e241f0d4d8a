import * as assert from "uvu/assert";
import { clickhouseSuite } from "../../../../support/clickhouseDatabase.ts";
import { openHostGroup } from "../../../../support/hostGroup.ts";
import { ownerKey, ownerToken } from "../../../../support/hostProcess.ts";
import { uploaderOf, type StoredDataset } from "./openUploader.ts";

const file = `city,fare\n${Array.from({ length: 40_000 }, (_, row) => `c${row % 7},${row}\n`).join("")}`;
const sizeBytes = file.length;

clickhouseSuite("core/sources/data/uploads/severalHosts", (test) => {
  test.deep("any host can serve any call of an upload", async () => {
    const group = await openHostGroup(2);
    try {
      const [first, second] = group.hosts.map(({ url }) => uploaderOf(url, ownerKey, ownerToken));
      assert.ok(first && second);
      const requestId = crypto.randomUUID();
      const properties = { type: "create", size_bytes: sizeBytes };
      const members = { action: "create", request_id: requestId, properties };
      const half = Math.floor(sizeBytes / 2);
      const started = await first.send(
        { ...members, properties: { ...properties, offset: 0 } },
        file.slice(0, half),
      );
      assert.equal([started.status, started.body.received_bytes], [409, half]);
      const elsewhere = { ...members, properties: { ...properties, offset: half } };
      const moved = await second.send(elsewhere, file.slice(half));
      assert.equal([moved.status, moved.body.received_bytes], [409, 0]);
      const { status, body } = await second.send(
        { ...members, properties: { ...properties, offset: 0 } },
        file,
      );
      assert.is(status, 200, body.message);
      // The first host still has half of the file, but the answer is known to all hosts.
      const again = await first.send(elsewhere, file.slice(half));
      assert.is(again.status, 200, again.body.message);
      assert.equal(again.body.rows, body.rows);
      const [dataset] = body.rows as StoredDataset[];
      assert.is(dataset?.rows, 40_000);
      assert.equal(
        dataset?.columns.map(({ cardinality, maximum }) => [cardinality, maximum]),
        [
          [7, null],
          [null, 39_999],
        ],
      );
      const progress = await first.call("data", { action: "validate", request_id: requestId });
      assert.is(progress.status, 200);
      for (const [uploader, type, rows] of [
        [first, "append", 80_000],
        [second, "replace", 40_000],
      ] as const) {
        const changed = await uploader.send(
          { action: "create", properties: { type, securable_id: dataset?.id } },
          file,
        );
        assert.is(changed.status, 200, changed.body.message);
        assert.is((changed.body.rows as StoredDataset[])[0]?.rows, rows);
      }
    } finally {
      await group.close();
    }
  });
});
