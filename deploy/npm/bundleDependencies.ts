import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { licencesOf } from "../../core/http/assets/index.ts";

/**
 * Dependencies that the host's package contains, so that users install 62 fewer packages. The host uses most of them in
 * only a few places. The others require a newer Node.js than users may have: the host runs on its own Node.js, but npm
 * would print `EBADENGINE` warnings. The licences of all of them allow copies that include the licence. The bill of
 * materials lists them.
 */
export const bundledDependencies: readonly string[] = [
  "@simplewebauthn/server",
  "d3-array",
  "d3-color",
  "d3-format",
  "d3-hierarchy",
  "d3-interpolate",
  "d3-time",
  "d3-shape",
  "got",
  "p-queue",
  "pg-boss",
];

/** Dependencies of bundled packages that users install anyway, because the host also imports them. */
export const sharedDependencies: readonly string[] = ["@opentelemetry/api", "pg"];

/** Returns the path of a bundled dependency in the folder of the bundles. */
export const bundleOf = (name: string): string => `${name.replace(/^@/, "")}.js`;

const entryPrefix = "bundle of ";

/** Writes a module for each bundled dependency, the modules that they share, and their licences. */
export async function bundleDependencies(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(
      bundledDependencies.map((name) => [bundleOf(name).replace(/\.js$/, ""), entryPrefix + name]),
    ),
    platform: "node",
    external: [...sharedDependencies],
    cwd: import.meta.dirname,
    checks: { bundlerTimings: false },
    // Otherwise comments name the folder in which the package was built.
    experimental: { attachDebugInfo: "none" },
    plugins: [
      {
        name: "entries",
        resolveId: (id) => (id.startsWith(entryPrefix) ? `\0${id}` : undefined),
        async load(id) {
          if (!id.startsWith(`\0${entryPrefix}`)) return undefined;
          const name = id.slice(entryPrefix.length + 1);
          const hasDefault = "default" in ((await import(name)) as object);
          const from = `${JSON.stringify(import.meta.resolve(name).replace("file://", ""))};\n`;
          return `export * from ${from}${hasDefault ? `export { default } from ${from}` : ""}`;
        },
      },
    ],
  });
  try {
    const { output } = await bundle.generate({
      format: "es",
      comments: { legal: false },
      entryFileNames: "[name].js",
      chunkFileNames: "parts/[name].js",
    });
    const chunks = output.filter((each) => each.type === "chunk");
    for (const { fileName, code } of chunks) {
      mkdirSync(dirname(join(folder, fileName)), { recursive: true });
      writeFileSync(join(folder, fileName), code);
    }
    const licences = licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
    writeFileSync(join(folder, "licences.txt"), licences);
  } finally {
    await bundle.close();
  }
}
