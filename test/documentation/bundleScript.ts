import { rolldown } from "rolldown";

/**
 * Bundles a script of the repository for browsers. Returns the bundled files by path. `/page.js` is the entry; it loads
 * the other files.
 */
export async function bundleScript(file: string): Promise<ReadonlyMap<string, string>> {
  const built = await rolldown({
    input: { page: file },
    platform: "browser",
    resolve: {
      conditionNames: ["manifold-source", "browser", "import", "module", "default"],
    },
  });
  try {
    const { output } = await built.generate({
      format: "es",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
    });
    return new Map(
      output.flatMap((each) => (each.type === "chunk" ? [[`/${each.fileName}`, each.code]] : [])),
    );
  } finally {
    await built.close();
  }
}
