// Takes the pictures of the tutorials about plugins in Chromium: node --conditions=manifold-source <this file>.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../docs/.vitepress/pages.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { pixelsOf } from "../core/exports/pictures/pixelsOf.ts";
import { writeIndexedPng } from "../core/exports/pictures/writeIndexedPng.ts";
import { openConsole } from "../core/web/console/openConsole.ts";
import { withCompiled } from "./compileBlock.ts";
import { exploreRain } from "./exploreRain.ts";
import { blocksFor } from "./readBlocks.ts";
import { startProgram, type StartedProgram } from "./startProgram.ts";

/** Starts the finished plugin of each tutorial at a port, and takes its picture while the plugin runs. */
const plugins = {
  async "first-plugin"(port, takePicture) {
    const [block] = blocksFor("docs/tutorials/FIRST_PLUGIN.md", "tutorials").filter(
      ({ language }) => language === "ts",
    );
    if (!block) throw new Error("FIRST_PLUGIN.md must contain the plugin");
    await withCompiled(block, { replaced: { "7070": port } }, async (file) => {
      const args = ["--conditions=manifold-source", file];
      await takePicture(await startProgram(process.execPath, args, "listens", { cwd: root }));
    });
  },
  async "python-plugin"(port, takePicture) {
    const blocks = blocksFor("docs/tutorials/PYTHON_PLUGIN.md", "python");
    const createData = blocks.find(({ text }) => text.includes("create table"));
    const program = blocks.find(({ marks }) => marks.includes("second"));
    const cwd = mkdtempSync(join(tmpdir(), "manifold-python-"));
    const environment = { PYTHONPATH: join(root, "plugins/python/src") };
    try {
      execFileSync("bash", ["-euc", createData?.text ?? ""], { cwd });
      writeFileSync(join(cwd, "plugin.py"), program?.text.replace("7071", port) ?? "");
      await takePicture(
        await startProgram("python3", ["-B", "plugin.py"], "listens", { cwd, environment }),
      );
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
} satisfies Record<
  string,
  (port: string, takePicture: (started: StartedProgram) => Promise<void>) => Promise<void>
>;

for (const [name, open] of Object.entries(plugins)) {
  const port = String(await freePort());
  const opened = await openConsole({ egressAllow: [`127.0.0.1:${port}`] });
  try {
    await open(port, async ({ end }) => {
      try {
        const { client } = opened;
        const plugin = await client.create("plugin", {
          slug: "rain",
          name: { en: "Rain" },
          base_url: `http://127.0.0.1:${port}`,
        });
        const new_secret = "change-me";
        await client.update("plugin", String(plugin["id"]), { new_secret, keep_secret_hours: 0 });
        const account = await client.create("account", { provider: "rain", name: { en: "Rain" } });
        const added = await client.create<{ readonly data: readonly { readonly id: string }[] }>(
          "dataprovider",
          { provider: "rain", account_id: account["id"], datasets: ["measurements"] },
        );
        const page = await opened.openPage(`/explore/${added.data[0]?.id}`);
        await page.setViewportSize({ width: 1_080, height: 620 });
        await exploreRain(page);
        await page.mouse.move(0, 0);
        await page.waitForLoadState("networkidle");
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        const png = writeIndexedPng(await pixelsOf(await page.screenshot()));
        writeFileSync(join(root, `docs/${name}.png`), png);
        process.stdout.write(`docs/${name}.png: ${(png.length / 1_000).toFixed(0)} kB\n`);
      } finally {
        await end();
      }
    });
  } finally {
    await opened.close();
  }
}
