import * as assert from "uvu/assert";
import { createPrincipals, ensureOwner } from "../../../../core/identity/access/index.ts";
import type { Records, WrittenValues } from "../../../../core/base/contracts/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import type { DrawnDashboard } from "../../../../core/exports/index.ts";
import { readExportFiles } from "../../../../core/jobs/deliveries/exportFile.ts";
import { removeContents } from "../../../../core/jobs/removeOld.ts";
import {
  sendDashboard,
  type SendDashboardOptions,
} from "../../../../core/jobs/schedules/sendDashboard.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/jobs/schedules/sendDashboard", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let userId: string;
  let securable_id: string;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    await ensureOwner({ records, key: undefined, token: undefined });
    const [user] = await records.find("user", {});
    userId = String(user?.id);
    const board = { type: "dashboard" as const, owner_id: userId };
    securable_id = (await records.insert("securable", board)).id;
  });
  test.after(() => catalog.close());

  const drawn: DrawnDashboard = {
    title: "Trips",
    files: [
      {
        type: "pdf",
        mediaType: "application/pdf",
        name: "Trips 2026-03-01.pdf",
        bytes: Buffer.from("a picture"),
      },
    ],
    failures: [],
    rowCount: 1,
  };
  const away = new PluginError("PLUGIN_SOURCE_FAILED", ["no answer"]);
  const makeSchedule = async (values: WrittenValues<"schedule"> = {}, recipients = ["a@b.org"]) => {
    const made = { user_id: userId, confirmed_by: userId, securable_id, task: "export" };
    const { id } = await records.insert("schedule", { ...made, ...values });
    const config = { recipients };
    const channel = await records.insert("channel", { type: "email", config, user_id: userId });
    await catalog.knex("schedule_channel").insert({ schedule_id: id, channel_id: channel.id });
    return id;
  };
  const optionsOf = (given: Partial<SendDashboardOptions["exportWork"]> = {}) => {
    const added: string[] = [];
    const options: SendDashboardOptions = {
      records,
      principals: createPrincipals({ catalog, cipher: catalog.cipher }),
      exportWork: {
        draw: async () => drawn,
        keep: async (id) => `https://manifold.example.org/exports/${id}`,
        ...given,
      },
      addDeliveryJobs: async (jobs) => {
        for (const { data } of jobs) added.push(JSON.stringify(data));
      },
      hasMail: true,
      publicUrl: () => "https://manifold.example.org",
      now: Date.now,
      attachedBytes: 100,
    };
    return { options, added };
  };
  const slotMs = Date.parse("2024-05-05T10:00:00Z");
  const send = (
    scheduleId: string,
    { options }: Pick<ReturnType<typeof optionsOf>, "options">,
    isLast = false,
  ) => sendDashboard({ scheduleId, slotMs, isLast }, new AbortController().signal, options);
  const eventsOf = (schedule_id: string) => records.find("exportevent", { schedule_id });

  test("a slot that runs twice, even concurrently, is recorded and sent only once", async () => {
    const id = await makeSchedule({}, ["a@b.org", "c@d.org"]);
    const { options, added } = optionsOf();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => send(id, { options })));
    assert.ok(outcomes.some(({ status }) => status === "fulfilled"));
    assert.equal(await send(id, { options }), { kind: "done" });
    const [event, ...others] = await eventsOf(id);
    assert.equal([event?.outcome, others.length], ["sent", 0]);
    const deliveries = await records.find("delivery", { exportevent_id: event!.id });
    assert.equal(deliveries.map(({ recipient }) => recipient).toSorted(), ["a@b.org", "c@d.org"]);
    const ofEvent = deliveries.map(({ id: deliveryId }) => JSON.stringify({ deliveryId }));
    for (const job of ofEvent) assert.ok(added.includes(job));
  });

  test("an unavailable source is retried, and the last attempt sends the other items with a note", async () => {
    const id = await makeSchedule();
    const failing = optionsOf({ draw: async () => ({ ...drawn, failures: [away, away] }) });
    const retried = await send(id, failing);
    assert.is(retried.kind, "retry");
    assert.equal(await eventsOf(id), []);
    assert.equal(await send(id, failing, true), { kind: "done" });
    const [event] = await eventsOf(id);
    assert.match(String(event?.reason), /^2 items could not be drawn: .*no answer/);
    const [delivery] = await records.find("delivery", { exportevent_id: event!.id });
    assert.match(String(delivery?.message?.["problem"]), /2 items could not be drawn/);
  });

  test("an item that cannot be drawn does not delay the dashboard", async () => {
    const id = await makeSchedule();
    const failures = [new ApiError("RECORD_NOT_FOUND", ["column", "x"])];
    const failing = optionsOf({ draw: async () => ({ ...drawn, failures }) });
    assert.equal(await send(id, failing), { kind: "done" });
    assert.match(String((await eventsOf(id))[0]?.reason), /^1 item could not be drawn/);
  });

  test("sending a deleted dashboard fails once, and the ledger records the reason", async () => {
    const id = await makeSchedule();
    const gone = optionsOf({
      draw: () => Promise.reject(new ApiError("RECORD_NOT_FOUND", ["dashboard", "x"])),
    });
    assert.is((await send(id, gone)).kind, "failed");
    assert.equal(await send(id, gone), { kind: "done" });
    const [event, ...others] = await eventsOf(id);
    assert.equal([event?.outcome, others.length], ["failed", 0]);
    assert.equal(gone.added, []);
  });

  test("a schedule stops once its user belongs to no organization", async () => {
    const { id: other } = await records.insert("user", { name: "Eve", email: "eve@example.org" });
    const id = await makeSchedule({ user_id: other, confirmed_by: other });
    const working = optionsOf();
    assert.is((await send(id, working)).kind, "failed");
    const [schedule] = await records.find("schedule", { id });
    assert.equal([schedule?.active, schedule?.scheduled_at], [false, null]);
    assert.equal(
      (await eventsOf(id)).map(({ outcome }) => outcome),
      ["skipped"],
    );
    assert.equal(working.added, []);
  });

  test("mails attach small files and link to larger ones, and the host later deletes the files", async () => {
    const [small, large] = [await makeSchedule(), await makeSchedule()];
    await send(small, optionsOf());
    const [file] = drawn.files;
    const files = [{ ...file!, bytes: Buffer.alloc(101) }];
    await send(large, optionsOf({ draw: async () => ({ ...drawn, files }) }));
    const [carried] = await eventsOf(small);
    const [linked] = await eventsOf(large);
    assert.equal(await readExportFiles(carried!.id, records), [file!.bytes]);
    const stored = await catalog.knex("exportevent").where({ id: carried!.id }).first("content");
    assert.not.match(String(stored?.content), file!.bytes.toString("base64"), "it is sealed");
    assert.is(await readExportFiles(linked!.id, records), undefined);
    const [delivery] = await records.find("delivery", { exportevent_id: linked!.id });
    assert.match(String(delivery?.message?.["link"]), `/exports/${linked!.id}`);
    await removeContents(catalog.transactions, Date.now());
    assert.ok(await readExportFiles(carried!.id, records));
    await removeContents(catalog.transactions, Date.now() + 5 * 86_400_000);
    assert.is(await readExportFiles(carried!.id, records), undefined);
  });
  test("a dashboard with fewer rows than the schedule demands is recorded, and not sent", async () => {
    const [empty, enough] = [
      await makeSchedule({ export: { type: "csv", least_rows: 2 } }),
      await makeSchedule({ export: { type: "csv", least_rows: 1 } }),
    ];
    const [first, second] = [optionsOf(), optionsOf()];
    assert.equal(await send(empty, first), { kind: "done" });
    assert.equal(await send(enough, second), { kind: "done" });
    const [skipped] = await eventsOf(empty);
    assert.is(skipped?.outcome, "empty");
    assert.match(String(skipped?.reason), "1 rows, fewer than least_rows (2)");
    assert.equal([first.added.length, second.added.length], [0, 1]);
  });

  test("a schedule asks for its formats and items, and its message names and links every file", async () => {
    const form = { type: "pdf", data: "xlsx", data_items: ["a", "b"] };
    const id = await makeSchedule({ export: form });
    const asked: unknown[] = [];
    const row = (title: string, type: "pdf" | "xlsx") => ({
      type,
      name: `${title}.${type}`,
      mediaType: `application/${type}`,
      bytes: Buffer.alloc(60),
    });
    const files = [row("Trips", "pdf"), row("By city", "xlsx"), row("By city", "xlsx")];
    const given = optionsOf({
      draw: async ({ types, itemIds }) => {
        asked.push(types, itemIds);
        return { ...drawn, files };
      },
    });
    await send(id, given);
    assert.equal(asked, [
      ["pdf", "xlsx"],
      ["a", "b"],
    ]);
    const [event] = await eventsOf(id);
    assert.equal([event?.type, event?.size_bytes], ["pdf", 180]);
    const [delivery] = await records.find("delivery", { exportevent_id: event!.id });
    const { moreLinks, dashboardLink } = delivery?.message ?? {};
    const names = Array.isArray(moreLinks) ? moreLinks.map(({ text }) => text) : [];
    assert.equal(names, ["By city.xlsx", "By city 2.xlsx"]);
    assert.is(dashboardLink, `https://manifold.example.org/dashboards/${securable_id}`);
  });
});
