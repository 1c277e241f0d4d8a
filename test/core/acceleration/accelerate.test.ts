import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openAccelerated, type AcceleratedHost } from "./openAccelerated.ts";

suite("core/acceleration/accelerate", (test) => {
  let host: AcceleratedHost;
  test.before(async () => {
    host = await openAccelerated();
  });
  test.after(() => host.close());

  const signal = new AbortController().signal;
  test("queries go to the copy once it is there, and to the source when they insist", async () => {
    await host.source
      .run(`create table trips (id int primary key, city text, km numeric(8,2), at timestamptz);
      insert into trips values (1, 'Ghent', 3.5, '2024-01-01'), (2, 'Lille', null, null), (3, null, 4, '2024-05-05')`);
    const dataset = await host.dataset("public.trips");
    await host.associate(dataset, { load_type: "full" });
    const of = (name: string) => ({ dataset_id: dataset.id, column_id: dataset.columns[name] });
    const ask = async (options: object = {}) => {
      const [answer] = [
        await host.queries.answer(
          { dimensions: [of("id"), of("city"), of("km"), of("at")], options, explain: true },
          host.owner,
          signal,
        ),
      ].flat();
      return answer!;
    };
    const live = await ask();
    assert.is(live.explain?.datasets[0]?.live, true);
    assert.is(await host.load(dataset), "copied");
    const copied = await ask();
    assert.equal(copied.data, live.data);
    assert.is(copied.explain?.datasets[0]?.live, false);
    assert.ok(copied.explain?.datasets[0]?.copy);
    const insisted = await ask({ max_age: 0 });
    assert.equal(insisted.data, live.data);
    assert.is(insisted.explain?.datasets[0]?.live, true);
  });
});
