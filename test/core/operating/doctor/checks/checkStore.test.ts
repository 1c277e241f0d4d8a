import * as assert from "uvu/assert";
import { checkStore } from "../../../../../core/operating/doctor/checks/checkStore.ts";
import { needsClickhouse, openClickhouseDatabase } from "../../../../support/clickhouseDatabase.ts";
import { openClickhousePair } from "../../../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../../../support/clickhouseStore.ts";
import { suite } from "../../../../support/suite.ts";

const check = async (
  clickhouseUrl: string,
  clickhouseCluster?: string,
  clickhouseReader?: string,
) =>
  (await checkStore({ clickhouseUrl, clickhouseCluster, clickhouseReader })).map(
    ({ state, text, fix }) => `${state} ${text} ${fix ?? ""}`,
  );

suite(
  "core/operating/doctor/checks/checkStore",
  (test) => {
    test("the doctor rates a store that responds as good and shows its version, but never its password", async () => {
      const { close, ...server } = await openClickhouseDatabase();
      try {
        const [good = ""] = await check(clickhouseUrl(server, server.admin));
        assert.match(good, /^good ClickHouse at 127\.0\.0\.1:\d+ responds, version \d+\.\d+/);
        const wrong = { name: server.admin.name, password: "canary" };
        const found = await check(
          `${clickhouseUrl(server, wrong)},http://ada:canary@127.0.0.1:1`,
          "none",
        );
        assert.match(found[0] ?? "", /^bad ClickHouse at .* does not respond \(code 516\)/);
        assert.match(found[1] ?? "", /^bad ClickHouse at 127\.0\.0\.1:1 does not respond/);
        assert.match(found[2] ?? "", /^bad .* does not list the shards of none/);
        assert.not.match(found.join("\n"), /canary/);
        const [, unknown = ""] = await check(clickhouseUrl(server, server.admin), "none");
        assert.match(unknown, /^bad .* has no cluster none/);
        assert.equal(
          await checkStore({
            clickhouseUrl: undefined,
            clickhouseCluster: undefined,
            clickhouseReader: undefined,
          }),
          [],
        );
        const reader = async ({ name, password }: typeof wrong) =>
          (await check(clickhouseUrl(server, server.admin), undefined, `${name}:${password}`))[1];
        assert.match((await reader(server.locked)) ?? "", /^good .* accepts .* who can only read/);
        assert.match((await reader(server.admin)) ?? "", /^weak .* is not restricted to reading/);
        assert.match((await reader(wrong)) ?? "", /^bad .* refuses the user .*\(code 516\)/);
      } finally {
        await close();
      }
    });

    test.deep(
      "the doctor reports an unreachable shard by its address, as seen from every server",
      async () => {
        const servers = await openClickhousePair();
        try {
          const url = servers.map((server) => clickhouseUrl(server, server.admin)).join(",");
          const all = await check(url, "pair");
          assert.is(all.filter((line) => line.startsWith("good")).length, 3, all.join("\n"));
          assert.match(all[2] ?? "", /all 2 shards of pair respond/);
          await servers[1]?.kill();
          const found = await check(url, "pair");
          assert.match(
            found[1] ?? "",
            `bad ClickHouse at 127.0.0.1:${servers[1]?.port} does not respond`,
          );
          assert.match(
            found[2] ?? "",
            /^bad the shard 2 of pair at 127\.0\.0\.1:\d+ does not respond/,
          );
        } finally {
          for (const server of servers) await server.close();
        }
      },
    );
  },
  needsClickhouse,
);
