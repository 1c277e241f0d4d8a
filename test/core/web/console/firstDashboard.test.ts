import * as assert from "uvu/assert";
import type { Locator, Page } from "playwright-core";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const orders = [
  "Order Date,Country,Category,Revenue",
  ...Array.from({ length: 400 }, (_, index) => {
    const day = new Date(Date.UTC(2025, 0, 1 + (index % 365))).toISOString().slice(0, 10);
    return `${day},${["France", "Italy"][index % 2]},${["Toys", "Books", "Food"][index % 3]},${index}.5`;
  }),
  "",
].join("\n");

const payload = (name: string, text: string) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

/** Drops a file on the page, as from the desktop. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ({ fileName, content }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName, { type: "text/csv" }));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
    },
    { fileName: name, content: text },
  );
}

suite("core/web/console: a first dashboard from a file", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole();
  });
  test.after(() => opened?.close());

  test.deep("a file is on a page of its own after eight clicks", async () => {
    const page = await opened.openPage("/");
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const chooser = page.waitForEvent("filechooser");
    await click(page.getByRole("link", { name: "Import a file" }));
    await click(page.getByText("Choose files"));
    // Choosing the file in the dialog of the system.
    clicks += 1;
    await (await chooser).setFiles(payload("orders.csv", orders));
    await click(button("Import"));
    await page.waitForURL(/\/data\/[\da-f-]{36}$/);
    await click(page.locator("header").getByRole("button", { name: "Make a dashboard" }));
    await page.waitForURL(/\/dashboards\/[\da-f-]{36}$/);
    await page.getByRole("img", { name: /^Total revenue by month/ }).waitFor();
    await page.getByText(/Made 7 charts/).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(await findBarriers(page), []);
    await click(button("Embed"));
    await click(button("Create token"));
    await click(page.getByRole("dialog").getByRole("button", { name: /^Copy/ }).first());
    assert.ok(clicks <= 8, `${clicks} clicks`);
    await page.close();
  });

  test.deep(
    "a file that is dropped on any page is imported, and its dashboard can be undone",
    async () => {
      const page = await opened.openPage("/alerts");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await drop(page, "dropped.csv", orders);
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.waitForURL(/\/data\/[\da-f-]{36}$/);
      const dataset = page.url();
      await page.locator("header").getByRole("button", { name: "Make a dashboard" }).click();
      await page.waitForURL(/\/dashboards\/[\da-f-]{36}$/);
      const id = page.url().split("/").at(-1);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.waitForURL(dataset);
      await page.getByText("The dashboard was deleted").waitFor();
      assert.is((await opened.client.get("securable", { where: { id } })).count, 0);
      await page.close();
    },
  );

  test.deep("a dataset without rows says why it has no dashboard", async () => {
    const page = await opened.openPage("/data/upload");
    await page.setInputFiles("#upload-file", payload("none.csv", "city,km\n"));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL(/\/data\/[\da-f-]{36}$/);
    await page.locator("header").getByRole("button", { name: "Make a dashboard" }).click();
    await page.getByText("the dataset has no rows").waitFor();
    await page.close();
  });

  test.deep("no page reports an error or violates the policy", () => {
    assert.equal(opened.reports, []);
  });
});
