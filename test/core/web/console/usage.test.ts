import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { beginSession } from "./beginSession.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

suite("core/web/console: usage of an organization", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole({
      quotas: "rows=5 bytes=1000000 pushes=2/50 scanned_rows=1000000000 ai_tokens=0",
    });
    const push = (data: readonly (readonly unknown[])[]) =>
      opened.client.create("data", { type: "create", data });
    await push([["a"], ["b"]]);
    await push([["c"], ["d"]]);
    await push([["e"]]);
  });
  test.after(() => opened?.close());

  const pictures = process.env["PICTURES"];
  for (const size of ["wide", "phone"] as const)
    for (const theme of ["light", "dark"] as const)
      test.deep(
        `an owner sees the usage, limit and warning threshold of each quota (${size} screen, ${theme} mode)`,
        async () => {
          const page = await opened.openPage("/access/usage", { size, theme });
          const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
          await item("Rows in datasets").waitFor();
          const textOf = async (name: string) =>
            (await item(name).innerText()).replace(/\s+/g, " ");
          assert.match(await textOf("Rows in datasets"), "5 of 5 in total At the limit.");
          assert.match(await textOf("Rows in datasets"), "Further use is refused.");
          const stored = await textOf("Size of pushed values");
          assert.match(stored, "of 1 MB in total Within the limit.");
          assert.match(stored, "Warning above 800 kB.");
          assert.match(await textOf("Pushes"), "of 50 this minute");
          assert.match(await textOf("Concurrent queries"), "0 now, no limit");
          assert.match(await textOf("Assistant tokens"), "0 of 0 today, UTC At the limit.");
          const bars = page.getByRole("img", { name: "used, warning above" });
          assert.is(await bars.count(), 5);
          assert.equal(await findBarriers(page), []);
          if (pictures)
            await page.screenshot({
              path: `${pictures}/usage-${size}-${theme}.png`,
              fullPage: true,
            });
          await page.close();
        },
      );

  test.deep("refreshing the usage page shows new usage, and only owners see the page", async () => {
    const page = await opened.openPage("/access/usage");
    const item = page.getByRole("listitem").filter({ hasText: "Rows in datasets" });
    await item.getByText("5 of 5").waitFor();
    const { rows } = await opened.client.get("securable", {
      where: { type: "dataset", rows: 1 },
    });
    await opened.client.delete("securable", String(rows[0]?.id));
    await page.getByRole("button", { name: "Refresh" }).click();
    await item.getByText("4 of 5").waitFor();
    await item.getByText("Within the limit.").waitFor();
    assert.equal(opened.reports, []);
    const pair = await opened.client.create<{ key: string; token: string }>("user", {
      name: "Vic",
      email: "vic@example.org",
    });
    const other = await opened.openPage("/explore", { isSignedIn: false });
    await beginSession(other, pair);
    await other.goto(`${opened.url}/access/usage`);
    await other.getByText("Only owners of the organization can see this").waitFor();
    assert.is(await other.getByRole("tab", { name: "Usage" }).count(), 0);
  });

  test.deep("an owner reads what people did, by dashboard and by month", async () => {
    const board = await opened.client.create("securable", {
      type: "dashboard",
      name: { en: "Sales board" },
    });
    const reader = await opened.openPage(`/dashboards/${board.id}`);
    await reader.getByRole("heading", { name: "Sales board" }).first().waitFor();
    await reader.close();
    const page = await opened.openPage("/access/usage");
    const table = page.getByRole("region", { name: "People and activity" });
    await page.getByLabel("Divide by").selectOption("dashboard");
    await table.getByRole("row", { name: /^Sales board 1 [1-9]/ }).waitFor();
    await page.getByLabel("Divide by").selectOption("month");
    await table
      .getByRole("row", {
        name: new Date().toLocaleDateString("en-US", {
          month: "long",
          year: "numeric",
          timeZone: "UTC",
        }),
      })
      .waitFor();
    assert.equal(await findBarriers(page), []);
    assert.equal(opened.reports, []);
    await page.close();
  });
});
