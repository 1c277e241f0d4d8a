import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Piscina } from "piscina";
import { installPackages } from "../../packages/installPackages.ts";
import { packageSets } from "../../packages/packageSets.ts";
import type { Span } from "./readSpan.ts";

const pageBytes = 65_536;

/**
 * A kernel that reads every byte once, in eight independent chains. It adds up the bytes, so that the compiler cannot
 * omit a read.
 */
const source = `
  export function read(from: usize, to: usize): u64 {
    let a = v128.splat<u64>(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (let at = from; at < to; at += 128) {
      a = v128.add<u64>(a, v128.load(at));
      b = v128.add<u64>(b, v128.load(at, 16));
      c = v128.add<u64>(c, v128.load(at, 32));
      d = v128.add<u64>(d, v128.load(at, 48));
      e = v128.add<u64>(e, v128.load(at, 64));
      f = v128.add<u64>(f, v128.load(at, 80));
      g = v128.add<u64>(g, v128.load(at, 96));
      h = v128.add<u64>(h, v128.load(at, 112));
    }
    a = v128.add<u64>(v128.add<u64>(v128.add<u64>(a, b), v128.add<u64>(c, d)), v128.add<u64>(v128.add<u64>(e, f), v128.add<u64>(g, h)));
    return v128.extract_lane<u64>(a, 0) + v128.extract_lane<u64>(a, 1);
  }`;

/** Two threads that read shared memory. */
export interface MemoryReader {
  /** Reads a span repeatedly with one thread, or with two threads that each read half of it. */
  read(span: Span, threads: 1 | 2): Promise<void>;
  close(): Promise<void>;
}

/** Fills a shared memory of whole pages and starts the threads. */
export async function openMemoryReader(sizeBytes: number): Promise<MemoryReader> {
  const pages = sizeBytes / pageBytes;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  new Float64Array(memory.buffer).fill(1);
  const module = new WebAssembly.Module(await compile(pages));
  const pool = new Piscina<Span, void>({
    filename: new URL("./readSpan.ts", import.meta.url).href,
    workerData: { module, memory },
    minThreads: 2,
    maxThreads: 2,
  });
  return {
    async read({ from, to, times }, threads) {
      const middle = threads === 1 ? to : (from + to) / 2;
      const spans = [
        { from, to: middle, times },
        ...(threads === 1 ? [] : [{ from: middle, to, times }]),
      ];
      await Promise.all(spans.map((span) => pool.run(span)));
    },
    close: () => pool.destroy(),
  };
}

interface Compiler {
  compileString(
    source: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly error: Error | null;
    readonly stderr: { toString(): string };
    readonly binary: Uint8Array | null;
  }>;
}

/** Compiles the kernel. The compiler is imported without its types, which declare another global `console`. */
async function compile(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const installed = await installPackages({
    set: packageSets.assemblyscript,
    announce: (line) => void process.stdout.write(line),
  });
  const compiler = pathToFileURL(join(installed, "assemblyscript/dist/asc.js")).href;
  const { default: asc } = (await import(compiler)) as { readonly default: Compiler };
  const { error, stderr, binary } = await asc.compileString(source, {
    optimizeLevel: 3,
    runtime: "stub",
    noAssert: true,
    importMemory: true,
    sharedMemory: true,
    initialMemory: pages,
    maximumMemory: pages,
    enable: ["simd", "threads"],
  });
  if (error || !binary)
    throw new Error(`the reading kernel could not be compiled: ${stderr.toString()}`);
  return Uint8Array.from(binary);
}
