import * as assert from "uvu/assert";
import { clickhouseSuite } from "../../support/clickhouseDatabase.ts";
import { openHostGroup } from "../../support/hostGroup.ts";
import { rounds } from "../../support/layer.ts";
import { startLoad } from "../../support/startLoad.ts";

clickhouseSuite("core/host: one of three hosts is killed", (test) => {
  // One test may take ten minutes, so the kills are spread over many tests.
  const kills = rounds({ quick: 2, deep: 6, soak: 20 });
  for (let part = 1; part <= rounds({ quick: 1, deep: 1, soak: 50 }); part++)
    test.deep(
      `killing one host of three ${kills} times neither loses nor repeats an acknowledged push (part ${part})`,
      async () => {
        const group = await openHostGroup(3);
        try {
          const load = await startLoad(group);
          for (let round = 0; round < kills; round++) await load.round(round % 3);
          const { appended, replaced, created, faults, questionCount } = await load.end();
          assert.equal(faults, []);
          assert.ok(questionCount > 0);
          const { knex } = group.catalog;
          const { database } = group.store;
          const stored = async (id: string): Promise<readonly string[]> => {
            const { rows } = await knex.raw(
              "select id from \"column\" where securable_id = ? and type = 'hierarchy'",
              [id],
            );
            const column = String(rows[0]?.id);
            const text = await database.run(`select \`${column}\` from \`${id}\` format TSV`);
            return text.split("\n").filter(Boolean);
          };
          const rowsOf = async (id: string) => {
            const row = await knex("securable").where({ id }).first("rows");
            return Number(row?.rows);
          };
          for (const [id, names] of appended) {
            const found = (await stored(id)).filter((name) => !name.startsWith("made"));
            assert.equal(found.toSorted(), names.toSorted());
            assert.is(await rowsOf(id), names.length + 1);
          }
          for (const [id, name] of replaced) assert.equal(await stored(id), [name]);
          const { rows: made } = await knex.raw(
            "select name ->> 'en' as name from securable where name ->> 'en' like 'push-%'",
          );
          const names = made.map(({ name }: { name: string }) => name);
          assert.equal(names.toSorted(), created.toSorted());
          // An abandoned push leaves nothing behind: every table has its record, except temporary tables.
          const tables = await database.run(
            "select count() from system.tables where database = currentDatabase() and position(name, '~') = 0",
          );
          assert.is(Number(tables), created.length + 3);
        } finally {
          await group.close();
        }
      },
    );
});
