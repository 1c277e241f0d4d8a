import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";

/** The frameworks for which this example has a page. */
export const frameworks = ["react", "vue", "angular"] as const;
export type Framework = (typeof frameworks)[number];

const entries: Readonly<Record<Framework, string>> = {
  react: "react/main.tsx",
  vue: "vue/main.ts",
  angular: "angular/main.ts",
};

/**
 * The part of the API of Vue's compiler that this file uses. The compiler is one of the packages that the pages need.
 */
interface VueCompiler {
  parse(
    source: string,
    options: { readonly filename: string },
  ): { readonly descriptor: unknown; readonly errors: readonly Error[] };
  compileScript(descriptor: unknown, options: object): { readonly content: string };
}

const requireOfPages = createRequire(new URL("./pages/package.json", import.meta.url));

/** Compiles single-file Vue components. Because of `isCustomElement`, Vue leaves tags with a hyphen to the browser. */
const vueComponents: Plugin = {
  name: "vue-components",
  load: {
    filter: { id: /\.vue$/ },
    handler(id) {
      const { compileScript, parse } = requireOfPages("vue/compiler-sfc") as VueCompiler;
      const { descriptor, errors } = parse(readFileSync(id, "utf8"), { filename: id });
      if (errors[0]) throw errors[0];
      const isCustomElement = (tag: string) => tag.includes("-");
      const { content } = compileScript(descriptor, {
        id,
        inlineTemplate: true,
        templateOptions: { compilerOptions: { isCustomElement } },
      });
      return { code: content, moduleType: "ts" };
    },
  },
};

/**
 * Bundles the page of a framework together with the component. Returns the text of each script by its path. `npm run
 * packages -- frameworks` installs the packages that the pages need.
 */
export async function bundlePage(framework: Framework): Promise<ReadonlyMap<string, string>> {
  const built = await rolldown({
    input: { page: join(import.meta.dirname, "pages", entries[framework]) },
    platform: "browser",
    plugins: [vueComponents],
    resolve: {
      // The pages of this example have their own packages. In your page, `manifold` is one of the page's packages.
      alias: {
        "@manifold-analytics/embed": fileURLToPath(
          import.meta.resolve("@manifold-analytics/embed"),
        ),
      },
      conditionNames: [
        ...process.execArgv.flatMap((each) => /^--conditions=(.*)$/.exec(each)?.[1] ?? []),
        "browser",
        "import",
        "module",
        "default",
      ],
    },
    transform: {
      decorator: { legacy: true },
      define: {
        "process.env.NODE_ENV": '"production"',
        ngDevMode: "false",
        ngI18nClosureMode: "false",
        ngServerMode: "false",
        __VUE_OPTIONS_API__: "false",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
      },
    },
  });
  try {
    const { output } = await built.generate({
      format: "es",
      minify: true,
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
