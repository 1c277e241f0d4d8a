import { rolldown } from "rolldown";

/** Bundles a script of the tree for browsers. Returns its files by path; `/page.js` loads the others. */
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
