import { readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

/** Compiles the sources of `assembly/` to the bytes of `kernels.wasm`: the same bytes for the same sources and compiler. */
export async function buildKernels(): Promise<Uint8Array> {
  const folder = new URL("./assembly/", import.meta.url);
  let built: Uint8Array | undefined;
  const options =
    "index.ts --outFile kernels.wasm --runtime stub -O3 --converge --noAssert" +
    " --enable simd --enable relaxed-simd --enable threads --enable bulk-memory" +
    " --importMemory --noExportMemory --sharedMemory --initialMemory 1 --maximumMemory 65536";
  const { error, stderr } = await asc.main(options.split(" "), {
    readFile: (name) => {
      try {
        return readFileSync(new URL(name, folder), "utf8");
      } catch {
        return null;
      }
    },
    writeFile: (_, contents) => {
      built = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the kernels do not compile: ${stderr.toString()}`, { cause: error });
  if (!built) throw new Error("the compiler of the kernels wrote nothing");
  return built;
}

if (import.meta.main) {
  writeFileSync(new URL("./kernels.wasm", import.meta.url), await buildKernels());
}
