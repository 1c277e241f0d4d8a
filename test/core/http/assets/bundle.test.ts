import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import { bundleAssets } from "../../../../core/http/assets/index.ts";
import { suite } from "../../../support/suite.ts";
import { drawSample } from "../../web/charts/drawSample.ts";
import { samples } from "../../web/charts/samples.ts";

suite("core/http/assets/bundle", (test) => {
  test("the built scripts draw every sample like the sources", async () => {
    const folder = await mkdtemp(join(tmpdir(), "manifold-built-"));
    try {
      const source = "../../../test/core/web/charts/drawSample.ts";
      const { files, entries } = await bundleAssets({ drawSample: { source } });
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      for (const { path, bytes } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), bytes);
      }
      const script = pathToFileURL(join(folder, entries["drawSample"] ?? "")).href;
      const built = (await import(script)) as { readonly drawSample: typeof drawSample };
      for (const sample of samples) {
        const size = { width: 480, height: 320, theme: "light", localeId: "de" } as const;
        assert.equal(built.drawSample(sample, size), drawSample(sample, size), sample.name);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
