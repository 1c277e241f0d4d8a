import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openTestCatalog } from "../../../support/catalog.ts";
import { ownerKey, ownerToken, startHostProcess } from "../../../support/hostProcess.ts";
import { rounds } from "../../../support/layer.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly rows: number }[];
}

suite("core/host killed during pushes with an id", (test) => {
  test.deep(
    "a push that is repeated after kill -9 is stored once, however far it had progressed",
    async () => {
      const catalog = await openTestCatalog();
      const folder = mkdtempSync(join(tmpdir(), "manifold-pushes-"));
      const settings = {
        DATABASE_URL: catalog.databaseUrl,
        MANIFOLD_SECRET: testSecret,
        MANIFOLD_WARM_UP: "off",
        MANIFOLD_WORKERS: "1",
      };
      let host = await startHostProcess(folder, settings);
      try {
        const made = await host.client.create<Pushed>("data", {
          type: "create",
          data: [["first", 0]],
        });
        const id = String(made.rows[0]?.id);
        let named = 0;
        const push = (requestId: string) => {
          // Some pushes are updates. Each inserts its row once, however often it is repeated.
          const isUpdate = requestId.endsWith("1");
          return fetch(`${host.url}/0.1.0/data`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({
              key: ownerKey,
              token: ownerToken,
              action: isUpdate ? "update" : "create",
              version: "0.1.0",
              request_id: requestId,
              properties: {
                securable_id: id,
                data: [[requestId, 1]],
                ...(isUpdate && { options: { key: ["column_1"] } }),
              },
            }),
          }).then(
            ({ status }) => status,
            () => 0,
          );
        };
        const answered = new Set<string>();
        for (let round = 0; round < rounds({ quick: 2, deep: 8 }); round++) {
          const sent: string[] = [];
          const writers = Array.from({ length: 4 }, async () => {
            for (;;) {
              const requestId = `push-${named++}`;
              sent.push(requestId);
              if ((await push(requestId)) !== 200) return;
              answered.add(requestId);
            }
          });
          const before = answered.size;
          while (answered.size < before + 5 + round * 3)
            await new Promise((resolve) => setImmediate(resolve));
          await host.end("SIGKILL");
          await Promise.all(writers);
          host = await startHostProcess(folder, settings);
          for (const requestId of sent) assert.is(await push(requestId), 200, requestId);
        }
        const { rows } = await host.client.get<Pushed>("securable", { where: { id } });
        assert.is(rows[0]?.rows, named + 1);
      } finally {
        await host.end("SIGTERM");
        rmSync(folder, { recursive: true, force: true });
        await catalog.close();
      }
    },
  );
});
