// `node deploy/bundle/main.ts script …` runs a script of this tree, such as core/cli/main.ts. The host that the script
// imports comes from one bundled file.
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makeThreads } from "../../core/cli/makeThreads.ts";
import { openBundle } from "./openBundle.ts";
import { ownBundle } from "./ownBundle.ts";

const [script = ""] = process.argv.splice(2, 1);
const main = resolve(script);
process.argv[1] = main;
// Threads and other processes, which may have another working folder, cache their modules there, too.
const { NODE_COMPILE_CACHE: modulesDir } = process.env;
if (modulesDir !== undefined) process.env["NODE_COMPILE_CACHE"] = resolve(modulesDir);
makeThreads();
try {
  const bundle = await openBundle(ownBundle);
  // Stack traces name the sources.
  process.setSourceMapsEnabled(true);
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const url = bundle.get(found.url);
      return url === undefined ? found : { ...found, url, format: "module" };
    },
  });
} catch (failure) {
  process.stderr.write(`The host loads its sources, which takes longer: ${String(failure)}\n`);
}
await import(pathToFileURL(main).href);
