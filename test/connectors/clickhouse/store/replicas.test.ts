import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { suite } from "../../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };

interface Statement {
  readonly text: string;
  readonly settings: URLSearchParams;
}

/** Opens a server that records statements, and responds like a shard with two replicas and the table `d`. */
async function openNoted() {
  const statements: Statement[] = [];
  const answerOf = (statement: string): readonly unknown[] => {
    if (statement.includes("from system.clusters")) return [[1, 2]];
    if (statement.includes("from system.databases")) return [["Atomic"]];
    if (statement.startsWith("select table, name")) return [["d", "a", "Nullable(Float64)"]];
    if (statement.startsWith("select name, total_rows")) return [["d", 0]];
    if (statement.includes("from system.columns")) return [["a", "Nullable(Float64)"]];
    if (statement.includes("select comment")) return [["first"]];
    if (/select count\(\*?\)/.test(statement)) return [[0]];
    return statement === "select 1" ? [[1]] : [];
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const settings = new URL(String(request.url), "http://server").searchParams;
    const body = await text(request);
    const inForm = /name="query"\r\n\r\n([^]*?)\r\n--/.exec(body)?.[1];
    const statement = (settings.get("query") || inForm || body).replace(/\sformat \w+\s*$/i, "");
    statements.push({ text: statement, settings });
    const rows = answerOf(statement.trim()).map((row) => `${JSON.stringify(row)}\n`);
    response.end(rows.join(""));
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://writer:w@127.0.0.1:${port}`,
    statements,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

suite(
  "connectors/clickhouse/store with replicated shards (statements only; replication is untested)",
  (test) => {
    test("queries and counts never read lagging replicas, and inserts require a quorum", async () => {
      const noted = await openNoted();
      const { statements } = noted;
      const plugin = await openStore({
        url: noted.url,
        database: "m",
        cluster: "main",
        timeoutMs: 10_000,
        sizeBytes: 2 ** 20,
      });
      try {
        await plugin.write?.({
          ...call,
          write: {
            action: "append",
            id: "d",
            rows: {
              columnIds: ["a"],
              batch: { rowCount: 1, columns: [{ type: "numeric", values: Float64Array.of(1) }] },
            },
            writeId: "again",
            isRepeated: false,
          },
        });
        const query = {
          id: "d",
          columns: [{ column_id: "*", aggregation: "count" as const }],
          filters: [],
          order: [],
          options: { pushdown: true },
        };
        assert.is((await plugin.query({ ...call, query })).rowCount, 1);
      } finally {
        await plugin.close?.();
        await noted.close();
      }
      const isInsert = (statement: Statement) => statement.text.startsWith("insert into");
      const inserts = statements.filter(isInsert);
      assert.is(inserts.length, 1);
      assert.is(inserts[0]?.settings.get("insert_quorum"), "auto");
      assert.is(inserts[0]?.settings.get("insert_quorum_parallel"), "0");
      const reads = statements.filter((each) => /^select .* from `m`/is.test(each.text.trim()));
      assert.ok(reads.length >= 2, statements.map(({ text: each }) => each).join("\n"));
      for (const read of reads)
        assert.is(read.settings.get("select_sequential_consistency"), "1", read.text);
    });
  },
);
