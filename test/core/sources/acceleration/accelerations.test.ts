import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { accountThrough } from "../../../support/accountThrough.ts";
import { forwardSocket, type Forwarded } from "../../../support/forwardSocket.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";
import { refused } from "../../../support/refused.ts";
import { testPace } from "../../../support/testPace.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Made {
  readonly data: readonly (Json & { readonly id: string; readonly columns: readonly Json[] })[];
}
interface Explained {
  readonly data: readonly (readonly unknown[])[];
  readonly explain: { readonly datasets: readonly { readonly live: boolean }[] };
}

suite("core/host with accelerations", (test) => {
  let people: People;
  let owner: Person;
  let forwarded: Forwarded;
  let database: PostgresDatabase;
  let datasetId: string;
  let accelerationId: string;
  test.before(async () => {
    database = await openPostgresDatabase();
    const { host, port } = database.server;
    forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
    people = await openPeople({
      egressAllow: [`127.0.0.1:${forwarded.port}`],
      pace: testPace,
    });
    owner = people.owner;
    await database.run(
      `create table trips as select n as id, n % 3 as kind from generate_series(1, 300) n`,
    );
    const account = await owner.create<{ id: string }>(
      "account",
      accountThrough(forwarded, database),
    );
    const { data } = await owner.create<Made>("dataprovider", {
      provider: "postgresql",
      account_id: account.id,
      tables: ["trips"],
    });
    datasetId = String(data[0]?.id);
    const made = await owner.create<{ id: string }>("acceleration", {
      load_type: "full",
      schedule: { frequency_unit: "day", frequency_quantity: 1 },
    });
    accelerationId = made.id;
  });
  test.after(async () => {
    await people?.close();
    await forwarded?.close();
    await database?.close();
  });

  const count = async (by = owner) =>
    by.get<Explained>("data", {
      measures: [{ dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } }],
      explain: true,
    });
  const copyOf = async (by = owner) =>
    (await by.get("datasetcopy", { where: { securable_id: datasetId } })).rows[0] as
      | Json
      | undefined;
  const scheduleOf = async () =>
    (await owner.get("schedule", { where: { securable_id: datasetId } })).rows[0] as
      | Json
      | undefined;
  const link = { role: "Acceleration" };

  test("associating an acceleration loads a copy that queries use, and dissociating it removes the copy", async () => {
    assert.is((await count()).explain.datasets[0]?.live, true);
    await owner.associate("securable", datasetId, { ...link, id: accelerationId });
    while ((await copyOf())?.["status"] !== "ready") await sleep(100);
    const { data, explain } = await count();
    assert.equal([data, explain.datasets[0]?.live], [[[300]], false]);
    const schedule = (await scheduleOf())!;
    assert.equal(
      [schedule["task"], schedule["retries"], schedule["failure"]],
      ["acceleration", 0, null],
    );
    assert.ok(Date.parse(String(schedule["scheduled_at"])) > Date.now() + 23 * 3_600_000);
    assert.equal((await copyOf())?.["rows"], 300);
    for (const hidden of ["copy_id", "building_id", "columns", "settings", "newest_print"])
      assert.is((await copyOf())?.[hidden], undefined);

    const stranger = await people.add("stranger");
    assert.is(await copyOf(stranger), undefined);
    const refusals = [datasetId, randomUUID()].map((id) =>
      refused(stranger.associate("securable", id, { ...link, id: accelerationId })),
    );
    const [one, other] = await Promise.all(refusals);
    assert.is(one?.status, 404);
    assert.is(other?.status, 404);

    await owner.dissociate("securable", datasetId, { ...link, id: accelerationId });
    assert.is((await count()).explain.datasets[0]?.live, true);
    assert.equal([await copyOf(), await scheduleOf()], [undefined, undefined]);
  });

  test("a running load shows its progress in the copy and in the job, and cancelling the job ends it without rows", async () => {
    await database.run("analyze trips");
    const { id } = await owner.create<{ id: string }>("acceleration", {
      load_type: "full",
      rows_per_second: 1,
    });
    await owner.associate("securable", datasetId, { ...link, id });
    const where = { name: "acceleration", state: "running" } as const;
    const jobOf = async () => (await owner.get("job", { where })).rows[0] as Json | undefined;
    while (!(await copyOf())?.["copied_rows"]) await sleep(50);
    const progress = { securable_id: datasetId, copied_rows: 300, progress: 0.99 };
    const job = (await jobOf())!;
    for (const shown of [await copyOf(), job])
      assert.equal({ ...shown, ...progress }, shown, "300 rows, of which none is missing");

    const cancelled = await owner.update<Json>("job", String(job["id"]), { state: "cancelled" });
    assert.is(cancelled["state"], "cancelled");
    while ((await copyOf())?.["status"] === "copying") await sleep(50);
    const copy = (await copyOf())!;
    assert.equal([copy["status"], copy["rows"]], ["failed", null]);
    assert.match(String(copy["failure"]), /the load was cancelled/);
    assert.is((await count()).explain.datasets[0]?.live, true);
    assert.is(await jobOf(), undefined);

    await owner.update("acceleration", id, { rows_per_second: null });
    await owner.update("job", String(job["id"]), { state: "waiting" });
    while ((await copyOf())?.["status"] !== "ready") await sleep(50);
    assert.equal([(await copyOf())?.["rows"], (await copyOf())?.["progress"]], [300, 1]);
    await owner.dissociate("securable", datasetId, { ...link, id });
  });

  test("a notification that names an unknown plugin gets the same error as a notification with a wrong secret", async () => {
    const call = (id: string, secret: string, body: object = { event: "data_changed" }) =>
      fetch(`${people.host.url}/notify/plugin/${id}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Secret": secret },
        body: JSON.stringify(body),
      });
    const plugin = await owner.create<{ id: string; secret: string }>("plugin", {
      slug: `p${Date.now() % 1e6}`,
      name: { en: "p" },
      base_url: "https://plugins.example.org",
      authorize: "none",
    });
    const answers = await Promise.all([
      call(plugin.id, "wrong"),
      call(plugin.id, ""),
      call(randomUUID(), plugin.secret),
      call("odd", plugin.secret),
    ]);
    for (const { status } of answers) assert.is(status, 401);
    const taken = await call(plugin.id, plugin.secret);
    assert.equal([taken.status, await taken.json()], [200, { count: 0 }]);
    for (const body of [{}, { event: "x" }, { event: "data_changed", datasets: "x" }])
      assert.is((await call(plugin.id, plugin.secret, body)).status, 400);
  });
});
