import type { Page } from "playwright-core";

/**
 * Builds the dashboard of docs/tutorials/AT_HOME.md in the console, with the steps of the tutorial. `folder` is the
 * folder with the files. The page then shows the dashboard.
 */
export async function buildHousehold(page: Page, folder: string): Promise<void> {
  const openData = async () => {
    await page.getByRole("link", { name: "Data", exact: true }).click();
  };
  const explore = async (dataset: string, columns: readonly string[]) => {
    await openData();
    await page.getByText(dataset, { exact: true }).first().click();
    await page.locator('a.button[href^="/explore/"]', { hasText: "Make a chart" }).click();
    for (const name of columns) await page.getByRole("button", { name, exact: true }).click();
    await page.locator("svg [data-mark]").first().waitFor();
  };
  const saveChart = async () => {
    await page.getByRole("button", { name: "Save chart" }).click();
    await page.getByText("Saved to Household").waitFor();
    const close = page.getByRole("button", { name: "Close", exact: true });
    while ((await close.count()) > 0) await close.first().click();
  };
  await openData();
  await page.getByRole("link", { name: "Connect a source" }).first().click();
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await page.getByLabel("Connection name").fill("Household");
  await page.getByLabel(/^File, folder/).fill(folder);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Choose all 2" }).click();
  await page.getByRole("button", { name: "Create 2 datasets" }).click();
  await page.getByText("2 datasets created", { exact: true }).first().waitFor();
  await explore("spending.csv", ["category", "amount"]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByLabel("Dashboard name").fill("Household");
  await saveChart();
  await explore("electricity.csv", ["month", "tariff", "kwh"]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saveChart();
  await page.getByRole("link", { name: "Dashboards", exact: true }).click();
  await page.getByRole("link", { name: "Household" }).click();
  for (const hasText of ["636.25", "night"])
    await page.locator("svg text", { hasText }).first().waitFor();
}
