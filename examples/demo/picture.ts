// Exports pictures of the dashboards of a running demo: `node examples/demo/picture.ts <folder>`.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@manifold-analytics/client";
import { demoStateIn } from "./state.ts";

const url = process.env["MANIFOLD_URL"] ?? "http://127.0.0.1:4000";
const { key, token } = demoStateIn(process.env["MANIFOLD_DATA_DIR"] ?? ".manifold").read();
const [folder = "docs/pictures"] = process.argv.slice(2);
const client = createClient({ url, key, token });
const { rows } = await client.get<{ rows: { id: string; name: { en: string } }[] }>("securable", {
  where: { type: "dashboard" },
  attributes: ["id", "name"],
});
await mkdir(folder, { recursive: true });
for (const { id, name } of rows)
  for (const theme of ["light", "dark"]) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        key,
        token,
        properties: { type: "png", securable_id: id, width: 1440, scale: 1, theme },
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const file = `${name.en.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${theme}.png`;
    const bytes = Buffer.from(await answer.arrayBuffer());
    await writeFile(join(folder, file), bytes);
    const ms = (performance.now() - startedAt).toFixed(0);
    process.stdout.write(`${file}: ${(bytes.length / 1000).toFixed(0)} kB, ${ms} ms\n`);
  }
