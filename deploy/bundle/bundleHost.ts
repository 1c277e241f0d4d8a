import { basename, dirname, join, relative } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

export interface HostBundleOptions {
  /** The folder of the tree. */
  readonly root: string;
  /** Paths of modules in the tree, by the name of the bundled file. */
  readonly entries: Readonly<Record<string, string>>;
  /** The folder in which the files are created. */
  readonly to: string;
  /**
   * Whether packages are bundled, too. If not, users install them, and `npm audit` sees the versions that run.
   * @default true
   */
  readonly withPackages?: boolean;
}

/**
 * Packages that are not bundled: those with native code, those that read files next to their modules, Piscina, whose
 * modules contain the state of a thread, and the API of OpenTelemetry, which the host shares with the SDK of a program.
 */
const unbundled = [
  /^@duckdb\//,
  /^@opentelemetry\//,
  /^@resvg\//,
  "fontkit",
  "mysql2",
  "pdfkit",
  "piscina",
  "rolldown",
];

/** Matches the name of a package, and not a path. */
const packages = /^[@a-z]/;

/** Matches modules that start an entry of the bundle, and therefore look for it next to the bundled files. */
const starters = /\/engine\/pool\/threads\.[jt]s$/;

/**
 * Bundles modules of the host with their packages. Code that loads later is in separate files. Each file has a source
 * map. The bundle must stay at the same place relative to the tree. Returns the paths of the modules, without packages.
 */
export async function bundleHost({
  root,
  entries,
  to,
  withPackages = true,
}: HostBundleOptions): Promise<readonly string[]> {
  const built = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, join(root, file)]),
    ),
    platform: "node",
    external: withPackages ? unbundled : packages,
    // Rolldown adds `import` or `require`.
    resolve: { conditionNames: ["manifold-source", "node", "default"] },
    checks: { bundlerTimings: false },
    // Otherwise comments name the folder of the sources.
    experimental: { attachDebugInfo: "none" },
    plugins: [withoutFetch, sourceAddresses(to)],
    // Packages contain optional imports of packages that are not installed.
    onLog: (level, log, handle) => {
      if (log.code !== "UNRESOLVED_IMPORT" && log.code !== "EVAL") handle(level, log);
    },
  });
  try {
    const { output } = await built.write({
      dir: to,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    return output
      .flatMap((each) => (each.type === "chunk" ? each.moduleIds : []))
      .filter((id) => id.startsWith(root) && !id.includes("/node_modules/"));
  } finally {
    await built.close();
  }
}

const lazyModules = new Set(["http", "node:http"]);

/**
 * A plugin that imports Node.js's HTTP module without its WebSocket. Importing it by `import` reads all of its exports,
 * which loads the code of `fetch`: 40 ms that a host may never need.
 */
const withoutFetch: Plugin = {
  name: "http without fetch",
  resolveId: (id) => (lazyModules.has(id) ? "\0node:http" : undefined),
  load: (id) =>
    id === "\0node:http"
      ? { code: `module.exports = process.getBuiltinModule("node:http");`, moduleType: "js" }
      : undefined,
};

/**
 * A plugin that preserves the address of each module, so that a module still finds the files next to it. Addresses are
 * relative to the bundle.
 */
function sourceAddresses(to: string): Plugin {
  return {
    name: "addresses of sources",
    transform(code, id) {
      if (!/import\.meta\.(url|dirname|filename)\b/.test(code)) return undefined;
      const path = starters.test(id) ? basename(id).replace(/\.ts$/, ".js") : relative(to, id);
      const replacements = {
        url: `new URL(${JSON.stringify(path)}, import.meta.url).href`,
        filename: joined(path),
        dirname: joined(dirname(path)),
      };
      let changed = code;
      for (const { start, end, property } of membersOfMeta(code, id).toReversed())
        if (property in replacements)
          changed =
            changed.slice(0, start) +
            replacements[property as keyof typeof replacements] +
            changed.slice(end);
      return { code: changed, map: null };
    },
  };
}

/** Returns an expression for a path relative to the folder of the bundle. */
const joined = (path: string) =>
  `process.getBuiltinModule("node:path").join(import.meta.dirname, ${JSON.stringify(path)})`;

interface MetaMember {
  readonly start: number;
  readonly end: number;
  readonly property: string;
}

/**
 * Finds the expressions `import.meta.x` of a module in their order. A string that contains one is not an expression.
 */
function membersOfMeta(code: string, id: string): readonly MetaMember[] {
  const found: MetaMember[] = [];
  const visitor = new Visitor({
    MemberExpression({ object, property, start, end }) {
      if (object.type === "MetaProperty" && property.type === "Identifier")
        found.push({ start, end, property: property.name });
    },
  });
  visitor.visit(parseSync(id, code).program);
  return found;
}
