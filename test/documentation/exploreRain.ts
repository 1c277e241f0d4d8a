import type { Page } from "playwright-core";

/**
 * Clicks `day`, `city` and `rain` in the explorer, as the tutorials about plugins tell their readers to do. Returns the
 * rows of its table as text.
 */
export async function exploreRain(page: Page): Promise<readonly string[]> {
  for (const name of ["day", "city", "rain"])
    await page.getByRole("button", { name, exact: true }).click();
  await page.getByText("8 rows", { exact: true }).waitFor();
  await page.locator("console-table .body [role=gridcell]", { hasText: "92" }).waitFor();
  await page.locator("svg [data-mark]").nth(6).waitFor();
  const cells = await page
    .locator("console-table .body [role=gridcell]")
    .evaluateAll((each) => each.map(({ textContent }) => textContent?.trim() ?? ""));
  return Array.from({ length: cells.length / 3 }, (_, row) =>
    cells.slice(row * 3, row * 3 + 3).join(" "),
  );
}

/** The rows that the explorer shows for the data of both tutorials. */
export const exploredRain: readonly string[] = [
  "Jan 2024 Ghent 92.0",
  "Jan 2024 Lille 71.0",
  "Feb 2024 Ghent 66.5",
  "Feb 2024 Lille –",
  "Mar 2024 Ghent 48.0",
  "Mar 2024 Lille 55.2",
  "Apr 2024 Ghent 80.0",
  "Apr 2024 Lille 74.8",
];
