import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

const hostile = `<img src=x onerror=alert(1)> "North"`;
/** Forty days of two regions. The amount grows by ten per day. */
const rows = Array.from({ length: 80 }, (_, index) => [
  new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))).toISOString().slice(0, 10),
  index % 2 === 0 ? hostile : "South",
  Math.floor(index / 2) * 10 + (index % 2),
]);

suite("core/web/console/pages/alerts", (test) => {
  let opened: OpenConsole;
  let columns: Readonly<Record<string, string>>;
  let address: string;
  test.before(async () => {
    opened = await openConsole();
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["day", "region", "amount"], name: { en: "Sales" } },
    });
    const datasetId = made.rows[0]?.id ?? "";
    columns = Object.fromEntries(
      (made.rows[0]?.columns ?? []).map(({ source_name: name, id }) => [String(name), String(id)]),
    );
    const question = {
      rows: [{ id: columns["day"], level: 5 }, { id: columns["region"] }],
      measures: [{ id: columns["amount"], aggregation: "sum" }],
    };
    const written = encodeURIComponent(JSON.stringify(question));
    address = `/alerts/new?dataset=${datasetId}&q=${written}`;
    await opened.client.create("channel", {
      name: { en: "Hook" },
      type: "webhook",
      config: { url: "https://hooks.example.org/x" },
    });
  });
  test.after(() => opened?.close());

  const stored = async (id: string) => {
    const { rows: found } = await opened.client.get<{ rows: Json[] }>("alert", {
      where: { id },
      include: [{ model: "Channel" }],
    });
    return found[0] ?? {};
  };
  const openRule = (page: Page) => page.locator(".rule summary").click();

  test.deep(
    "the host's error for a member appears at its field, and an alert with errors is not saved",
    async () => {
      const page = await opened.openPage(address);
      await page.getByText(/It would have sent a message at/).waitFor();
      await openRule(page);
      await page.getByLabel("Fires after").fill("soon");
      const wrong = page.locator("#alert-for-wrong");
      await wrong.waitFor();
      assert.match((await wrong.textContent()) ?? "", "or a string such as 10 minutes");
      await page.getByLabel("Fires after").fill("");
      await page.getByText(/It would have sent a message at/).waitFor();
      await page.getByLabel("Run every").fill("x");
      await page.locator("#alert-quantity-wrong").waitFor();
      await page.getByRole("button", { name: "Create alert" }).click();
      assert.match(
        (await page.locator("#alert-quantity-wrong").textContent()) ?? "",
        "a string such as",
      );
      assert.is((await opened.client.get("alert", {})).count, 0);
      assert.equal(await findBarriers(page), []);
    },
  );

  test.deep(
    "an alert is made from the list of alerts, with a channel that is made on the way",
    async () => {
      const page = await opened.openPage("/alerts");
      let clicks = 0;
      const press = async (button: ReturnType<Page["locator"]>) => {
        await button.click();
        clicks += 1;
      };
      const dialog = page.getByRole("dialog");
      await press(page.getByRole("button", { name: "New alert" }).first());
      await press(dialog.getByRole("button", { name: "Sales" }));
      await dialog.getByLabel("Value").selectOption({ label: "amount" });
      await dialog.getByLabel("Aggregation").selectOption({ label: "Total" });
      assert.equal(await findBarriers(page), []);
      await press(dialog.getByRole("button", { name: "Continue" }));
      await page.getByText("Each run looks at: day: Yesterday").waitFor();
      await page.getByLabel("Threshold").last().fill("250");
      await press(page.getByRole("button", { name: "New channel" }));
      await dialog.getByLabel("Name").fill("Team");
      await dialog.getByLabel("Address").fill("https://hooks.example.org/team");
      await press(dialog.getByRole("button", { name: "Create channel" }));
      await page.getByRole("dialog", { name: "The webhook's secret" }).waitFor();
      await press(dialog.getByRole("button", { name: "Done" }));
      assert.is(await page.getByLabel("Threshold").last().inputValue(), "250", "the draft stays");
      assert.ok(await page.getByLabel("Team").isChecked());
      await press(page.getByRole("button", { name: "Create alert" }));
      await page.getByRole("heading", { name: "Total amount is more than 250" }).waitFor();
      assert.is(clicks, 7);
      await page.getByText("Not run yet").first().waitFor();
      await page.getByText("day: Yesterday").waitFor();
      await page.getByText("Measured now").waitFor();
      const values = page.locator("console-measured-values");
      await values.locator("line.threshold").waitFor({ state: "attached" });
      assert.is(await values.getByRole("slider").count(), 0);
      // Both regions together sell for more than 250 from the fourteenth day on.
      assert.is(await values.locator("circle.fired").count(), 27);
      await values.getByText("Show as a table").click();
      await values.getByRole("row", { name: /^Feb 9\b.*\b781$/ }).waitFor();
      assert.equal(await findBarriers(page), []);
      await page.goto(`${opened.url}/alerts?tab=channels`);
      await page.getByText("Not tried yet").first().waitFor();
      await page.goto(`${opened.url}/alerts`);
      await page.getByRole("link", { name: "Total amount is more than 250" }).waitFor();
      await opened.client.delete(
        "alert",
        String((await opened.client.get<{ rows: Json[] }>("alert", {})).rows[0]?.["id"]),
      );
    },
  );

  test.deep("an alert above a mark of a chart, with a new channel, takes six clicks", async () => {
    const question = {
      rows: [{ id: columns["day"], level: 5 }],
      measures: [{ id: columns["amount"], aggregation: "sum" }],
    };
    const datasetId = new URL(address, opened.url).searchParams.get("dataset");
    const written = encodeURIComponent(JSON.stringify(question));
    const page = await opened.openPage(`/explore/${datasetId}?q=${written}`);
    const dialog = page.getByRole("dialog");
    const mark = page.locator("console-picture [data-mark]").last();
    await mark.waitFor();
    let clicks = 0;
    for (const button of [
      mark,
      page.getByRole("menuitem", { name: /^Alert above/ }),
      page.getByRole("button", { name: "New channel" }),
      dialog.getByRole("button", { name: "Create channel" }),
      dialog.getByRole("button", { name: "Done" }),
      page.getByRole("button", { name: "Create alert" }),
    ]) {
      if (clicks === 3) await dialog.getByLabel("Address").fill("https://hooks.example.org/mark");
      await button.click();
      clicks += 1;
    }
    await page.getByRole("heading", { name: /^Total amount is more than/ }).waitFor();
    assert.is(clicks, 6);
    const { rows: made } = await opened.client.get<{ rows: Json[] }>("alert", {});
    assert.is(made.length, 1);
    await opened.client.delete("alert", String(made[0]?.["id"]));
    const { rows: channels } = await opened.client.get<{ rows: Json[] }>("channel", {});
    const others = channels.filter(({ name }) => (name as Json)["en"] !== "Hook");
    for (const { id } of others) await opened.client.delete("channel", String(id));
  });

  test.deep(
    "every setting of an alert is stored, described in words, backtested and changed again",
    async () => {
      const page = await opened.openPage(address);
      await page.getByLabel("Threshold").last().fill("300");
      await page.getByText(/It would have sent a message at [12] of/).waitFor();
      await openRule(page);
      const sending = page.getByLabel("Send a message");
      assert.is(
        await sending.inputValue(),
        "change",
        "one message when it starts, one when it stops",
      );
      await sending.selectOption("every");
      await page.getByText(/It would have sent a message at 10 of/).waitFor();
      await sending.selectOption("change");
      await page.getByText(/It would have sent a message at [12] of/).waitFor();
      await page.getByLabel("Fires after").fill("2 days");
      await page.getByLabel("Keeps firing for").fill("1 day");
      await page.getByLabel("Recovers at").fill("250");
      await page.getByLabel("region", { exact: true }).check();
      await page.getByLabel("If the answer has no rows").selectOption("fire");
      await page.getByLabel("If the query fails").selectOption("ok");
      await page.getByLabel("Muted until").fill("2036-01-31T09:00");
      await page.getByLabel("Hook").check();
      await page.getByText(/Pending: 2/).waitFor();
      await page.getByRole("button", { name: "Create alert" }).click();
      await page.getByRole("heading", { name: "Total amount is more than 300" }).waitFor();
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      const made = await stored(id);
      const wanted = {
        notify: "change",
        for: { unit: "day", quantity: 2 },
        keep_firing_for: { unit: "day", quantity: 1 },
        instance_by: [columns["region"]],
        no_data: "fire",
        error: "ok",
        mute_until: "2036-01-31T09:00:00.000Z",
      };
      for (const [member, value] of Object.entries(wanted)) assert.equal(made[member], value);
      const { having } = made["recovery"] as { having: { parameters: unknown[] }[] };
      assert.is(having[0]?.parameters[1], 250);
      assert.is((made["channels"] as unknown[]).length, 1);
      const facts = await page.locator(".rule-facts").innerText();
      for (const word of ["2 days", "1 day", "250", "region", "Fires", "Counts as OK"])
        assert.match(facts, word);
      assert.equal(await findBarriers(page), []);

      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await page.getByText(/It would have sent a message at/).waitFor();
      assert.is(await page.getByLabel("Fires after").inputValue(), "2 days");
      assert.is(await page.getByLabel("Recovers at").inputValue(), "250");
      assert.ok(await page.getByLabel("region", { exact: true }).isChecked());
      await page.getByLabel("Threshold").last().fill("320");
      await page.getByLabel("Fires after").fill("");
      await page.getByLabel("Recovers at").fill("");
      await page.getByLabel("Muted until").fill("");
      await page.getByLabel("Hook").uncheck();
      await page.getByLabel("Name").fill("Much");
      assert.equal(await findBarriers(page), []);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("heading", { name: "Much" }).waitFor();
      const changed = await stored(id);
      assert.equal(
        [changed["for"], changed["recovery"], changed["mute_until"], changed["channels"]],
        [null, null, null, []],
      );
      const query = changed["query"] as { having: { parameters: unknown[] }[] };
      assert.is(query.having[0]?.parameters[1], 320);
    },
  );

  test.deep("changing an alert keeps a condition that the form cannot show", async () => {
    const { rows: found } = await opened.client.get<{ rows: Json[] }>("alert", {});
    const [first = {}] = found;
    const query = first["query"] as { having: unknown[] };
    const both = { ...query, having: [...query.having, ...query.having] };
    const { id } = await opened.client.create<{ id: string }>("alert", {
      name: { en: "Two tests" },
      frequency: "daily",
      query: both,
    });
    const page = await opened.openPage(`/alerts/${id}/edit`);
    await page.getByText("cannot be edited here").waitFor();
    await page.getByLabel("Send a message").selectOption("change");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { name: "Two tests" }).waitFor();
    const changed = await stored(id);
    assert.is(changed["notify"], "change");
    assert.is((changed["query"] as { having: unknown[] }).having.length, 2);
  });

  test.deep("the form and page of an alert fit a phone screen, in both themes", async () => {
    const { rows: found } = await opened.client.get("alert", { attributes: ["id"] });
    for (const theme of ["light", "dark"] as const)
      for (const path of [
        address,
        `/alerts/${String(found[0]?.["id"])}`,
        `/alerts/${String(found[0]?.["id"])}/edit`,
      ]) {
        const page = await opened.openPage(path, { size: "phone", theme });
        await page.waitForLoadState("networkidle");
        if (!path.endsWith(String(found[0]?.["id"]))) {
          const rule = page.locator(".rule");
          if (!(await rule.evaluate((each) => each.hasAttribute("open")))) await openRule(page);
        }
        assert.equal(await findBarriers(page), [], `${path}, ${theme}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.is(over, 0, path);
        if (process.env["KEEP_SHOTS"])
          await page.screenshot({
            path: `${process.env["KEEP_SHOTS"]}/phone-${theme}-${path.endsWith("edit") ? "edit" : path.includes("new") ? "new" : "one"}.png`,
            fullPage: true,
          });
      }
  });

  test.deep(
    "no page of alerts violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );

  test.deep("quiet hours and a time of day are stored, described and changed again", async () => {
    const page = await opened.openPage(address);
    await page.getByText(/It would have sent a message at/).waitFor();
    await page.getByLabel("At (time of day)").fill("07:30");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await openRule(page);
    await page.getByLabel("From", { exact: true }).fill("22:00");
    await page.getByLabel("To", { exact: true }).fill("06:00");
    await page.getByLabel("Sun", { exact: true }).uncheck();
    await page.getByRole("button", { name: "Create alert" }).click();
    await page.getByText("07:30 (Europe/Berlin)").waitFor();
    await page.getByText(/22:00–06:00 \(Mon, Tue, Wed, Thu, Fri, Sat\) Europe\/Berlin/).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const made = await stored(id);
    assert.is(made["time_of_day"], "07:30");
    assert.equal(made["quiet_hours"], {
      timezone_id: "Europe/Berlin",
      periods: [{ from: "22:00", to: "06:00", weekdays: [1, 2, 3, 4, 5, 6] }],
    });
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByText(/It would have sent a message at/).waitFor();
    await page.getByLabel("From", { exact: true }).fill("");
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The alert was changed").waitFor();
    assert.is((await stored(id))["quiet_hours"], null);
    await opened.client.delete("alert", id);
  });

  test.deep("the threshold of horizontal bars is a vertical line that can be dragged", async () => {
    const question = {
      rows: [{ id: columns["region"] }],
      measures: [{ id: columns["amount"], aggregation: "sum" }],
      chart: "bar-chart",
    };
    const q = encodeURIComponent(JSON.stringify(question));
    const page = await opened.openPage(`${address.split("&q=")[0]}&q=${q}`);
    const line = page.locator("console-threshold-chart line.threshold");
    await line.waitFor({ state: "attached" });
    assert.is(await line.getAttribute("x1"), await line.getAttribute("x2"));
    const handle = page.getByRole("slider");
    assert.is(await handle.getAttribute("aria-orientation"), "horizontal");
    const box = (await handle.boundingBox())!;
    const before = Number(await handle.getAttribute("aria-valuenow"));
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x - 60, box.y + box.height / 2);
    await page.mouse.up();
    const after = Number(await handle.getAttribute("aria-valuenow"));
    assert.ok(after < before, `${after} < ${before}`);
    await handle.press("ArrowRight");
    assert.ok(Number(await handle.getAttribute("aria-valuenow")) > after);
  });

  test.deep("a schedule is created, paused, changed and deleted on the Alerts page", async () => {
    const { id: dashboardId } = await opened.client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Weekly" },
      contents: { views: [] },
    });
    const page = await opened.openPage("/alerts?tab=schedules");
    await page.getByRole("button", { name: "New schedule" }).click();
    await page.getByRole("button", { name: "Weekly" }).click();
    await page.getByLabel("Also attach rows").selectOption("xlsx");
    await page.getByLabel("Period").selectOption("day");
    await page.getByLabel("At (time of day)").fill("07:30");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await page.getByLabel("Send only with at least").fill("1");
    await page.getByLabel("Hook").check();
    assert.equal(await findBarriers(page), []);
    await page.getByRole("button", { name: "Create schedule" }).click();
    await page.getByText("every day at 07:30 (Europe/Berlin)").waitFor();
    await page.getByText("PDF, Excel → Hook").waitFor();
    const find = { include: [{ model: "Channel" }], where: { securable_id: dashboardId } };
    const read = async () => (await opened.client.get<{ rows: Json[] }>("schedule", find)).rows[0];
    const made = await read();
    assert.equal(made?.["export"], { type: "pdf", data: "xlsx", least_rows: 1 });
    const channels = made?.["channels"];
    assert.is(Array.isArray(channels) && channels.length, 1);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    assert.is((await read())?.["active"], false);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("File", { exact: true }).selectOption("csv");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("CSV → Hook").waitFor();
    assert.equal((await read())?.["export"], { type: "csv", least_rows: 1 });
    await page.getByRole("button", { name: "Delete schedule" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete schedule" }).click();
    await page.getByText("No scheduled dashboards yet").waitFor();
    assert.is(await read(), undefined);
  });
});
