import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { licencesOf } from "../../core/http/assets/index.ts";

const entry = resolve(import.meta.dirname, "../../core/web/embed/main.ts");

/**
 * Writes the package for pages: main.js with everything that a page loads at once, the modules that it loads later, and
 * the licences of the code in them. The package does not depend on other packages.
 */
export async function bundleEmbed(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: entry },
    platform: "browser",
    resolve: { conditionNames: ["browser", "import", "module", "default"] },
  });
  try {
    const { output } = await bundle.generate({
      format: "es",
      minify: true,
      comments: { legal: false },
      entryFileNames: "[name].js",
      chunkFileNames: "parts/[name].js",
      codeSplitting: { groups: [{ name: "component", test: (id) => id === entry }] },
    });
    const chunks = output.filter((each) => each.type === "chunk");
    for (const { fileName, code } of chunks) {
      mkdirSync(dirname(join(folder, fileName)), { recursive: true });
      writeFileSync(join(folder, fileName), code);
    }
    writeFileSync(
      join(folder, "licences.txt"),
      licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
    );
  } finally {
    await bundle.close();
  }
}
