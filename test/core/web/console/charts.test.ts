import * as assert from "uvu/assert";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const script = "manifold.draw = ({ rows }) => { document.body.textContent = rows.length; };";

suite("core/web/console: custom charts", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole();
    await opened.client.create("customchart", { name: { en: "Flow" }, type: "flow-map", script });
  });
  test.after(() => opened?.close());

  const pictures = process.env["PICTURES"];
  const looks = [
    ["wide", "light"],
    ["phone", "dark"],
    ["wide", "dark"],
    ["phone", "light"],
  ] as const;
  const some = looks.slice(0, 2);
  for (const [size, theme] of rounds({ quick: some, deep: some, soak: looks.slice() }))
    test.deep(
      `an owner reviews a chart's script, approves it and withdraws the approval (${size} screen, ${theme} mode)`,
      async () => {
        const page = await opened.openPage("/access/charts", { size, theme });
        const open = () => page.getByRole("button", { name: "Review" }).click();
        const dialog = page.getByRole("dialog");
        await page.getByText("Approved", { exact: true }).waitFor();
        assert.equal(await findBarriers(page), []);
        if (pictures) await page.screenshot({ path: `${pictures}/charts-${size}-${theme}.png` });
        await open();
        await dialog.getByText("can leak the data that it draws").waitFor();
        await dialog.getByText("manifold.draw").waitFor();
        assert.is(await dialog.getByRole("button", { name: "Approve this version" }).count(), 0);
        assert.equal(await findBarriers(page), []);
        if (pictures) await page.screenshot({ path: `${pictures}/review-${size}-${theme}.png` });
        await dialog.getByRole("button", { name: "Withdraw approval" }).click();
        await page.getByText("Draft: runs only for its author").waitFor();
        await open();
        await dialog.getByRole("button", { name: "Approve this version" }).click();
        await page.getByText("Approved", { exact: true }).waitFor();
        await page.close();
      },
    );
});
