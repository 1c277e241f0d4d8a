import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emitExports } from "./emitExports.ts";
import { kernelTables } from "./kernelTable.ts";

/** The part of the AssemblyScript compiler used here. `npm run packages -- assemblyscript` installs it. */
interface Compiler {
  main(
    options: readonly string[],
    files: {
      readFile(name: string): string | null;
      writeFile(name: string, contents: string | Uint8Array): void;
      listFiles(): string[];
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}

const compiler = pathToFileURL(
  join(import.meta.dirname, "assembly/node_modules/assemblyscript/dist/asc.js"),
);

const options =
  "index.ts --outFile module.wasm --runtime stub -O3 --converge --noAssert" +
  " --enable simd --enable relaxed-simd --enable threads --enable bulk-memory" +
  " --importMemory --noExportMemory --sharedMemory --initialMemory 1 --maximumMemory 65536";

/**
 * Compiles `kernels.wasm` from the sources in `assembly/` and the exports that `kernelTable.ts` declares. Equal sources
 * and compilers produce equal bytes.
 * @throws if a kernel in the table has no source, or if the sources do not compile
 */
export async function buildKernels(): Promise<Uint8Array> {
  const sources = readSources();
  return compile(sources, emitExports(Object.values(kernelTables), sources));
}

/**
 * Compiles the module with which reader processes read separated values. It is separate from `kernels.wasm`, because
 * these processes load nothing of the engine.
 * @throws if the sources do not compile
 */
export function buildCsvReader(): Promise<Uint8Array> {
  return compile(readSources(), 'export { internCsvText, readCsvRecords } from "./readingCsv";');
}

async function compile(sources: ReadonlyMap<string, string>, index: string): Promise<Uint8Array> {
  const files = new Map(sources).set("index", index);
  let built: Uint8Array | undefined;
  const { default: asc } = (await import(compiler.href)) as { readonly default: Compiler };
  const { error, stderr } = await asc.main(options.split(" "), {
    readFile: (name) => files.get(name.replace(/\.ts$/, "")) ?? null,
    writeFile: (_, contents) => {
      built = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the kernels do not compile: ${stderr.toString()}`, { cause: error });
  if (!built) throw new Error("the compiler of the kernels produced no module");
  return built;
}

/** Reads the sources, by module name. */
function readSources(): ReadonlyMap<string, string> {
  const folder = new URL("./assembly/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return new Map(
    names.map((name) => [name.slice(0, -3), readFileSync(new URL(name, folder), "utf8")]),
  );
}

if (import.meta.main) {
  writeFileSync(new URL("./kernels.wasm", import.meta.url), await buildKernels());
  const reader = new URL("../../plugins/rows/formats/csvReader.wasm", import.meta.url);
  writeFileSync(reader, await buildCsvReader());
}
