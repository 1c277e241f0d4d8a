import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { startHostProcess } from "../../support/hostProcess.ts";
import { suite } from "../../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const bundled = ["deploy/bundle/main.ts", "core/cli/main.ts"].map((file) => join(root, file));

interface Found {
  readonly rows: readonly {
    readonly id: string;
    readonly columns: readonly { readonly id: string; readonly type: string }[];
  }[];
}

suite("deploy/bundle/main", (test) => {
  test.deep(
    "a bundled host starts in an empty folder, stores rows, and answers queries after a restart",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "manifold-bundled-"));
      const settings = { NODE_OPTIONS: "", MANIFOLD_WARM_UP: "on" };
      try {
        for (let start = 0; start < 2; start++) {
          const host = await startHostProcess(dataDir, settings, bundled);
          const { client } = host;
          const data = [
            ["a", 1],
            ["a", 2],
          ];
          const options = { header: ["text", "number"] };
          if (start === 0) await client.create("data", { type: "create", data, options });
          const { rows } = await client.get<Found>("securable", {
            where: { type: "dataset" },
            include: [{ model: "Column" }],
          });
          const [dataset] = rows;
          const of = (type: string) => ({
            dataset_id: dataset?.id ?? "",
            column_id: dataset?.columns.find((each) => each.type === type)?.id ?? "",
          });
          const answer = await client.get("data", {
            dimensions: [of("hierarchy")],
            measures: [of("numeric")],
          });
          assert.equal(answer.data, [[{ id: "a", name: { en: "a" } }, 3]]);
          assert.equal(await host.end("SIGTERM"), { status: 0, signal: null });
        }
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
