import { Piscina } from "piscina";
import { spreadOf } from "../spread.ts";
import type { Span } from "./readSpan.ts";

const smallestBytes = 2 ** 24;
/** Far larger than the caches. */
const largestBytes = 2 ** 30;
/** So much is read before the clock is looked at. */
const leastBytesPerRun = 2 ** 28;
const pageBytes = 65_536;
const repeats = 9;

/** Reads every byte once in eight independent chains, and adds up what it read so that nothing can be left out. */
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

/** How fast an array of a size is read when it is read again and again: small ones come from the caches. */
export interface Bandwidth {
  readonly sizeBytes: number;
  /** Bytes a second in the fastest run, by the number of threads. */
  readonly one: number;
  readonly two: number;
}

/** Measures how fast one and two threads read shared memory, for arrays of 16 MiB to 1 GiB: the floor of every scan. */
export async function measureBandwidth(): Promise<readonly Bandwidth[]> {
  const memory = new WebAssembly.Memory({
    initial: largestBytes / pageBytes,
    maximum: largestBytes / pageBytes,
    shared: true,
  });
  new Float64Array(memory.buffer).fill(1);
  const module = new WebAssembly.Module(await compile());
  const pool = new Piscina<Span, void>({
    filename: new URL("./readSpan.ts", import.meta.url).href,
    workerData: { module, memory },
    minThreads: 2,
    maxThreads: 2,
  });
  const measure = async (sizeBytes: number, read: (times: number) => Promise<unknown>) => {
    const times = Math.ceil(leastBytesPerRun / sizeBytes);
    const durations: number[] = [];
    for (let index = 0; index < repeats + 2; index++) {
      const startedAt = performance.now();
      await read(times);
      if (index >= 2) durations.push(performance.now() - startedAt);
    }
    return ((sizeBytes * times) / spreadOf(durations).min) * 1000;
  };
  try {
    const measured: Bandwidth[] = [];
    for (let sizeBytes = smallestBytes; sizeBytes <= largestBytes; sizeBytes *= 2) {
      const half = sizeBytes / 2;
      measured.push({
        sizeBytes,
        one: await measure(sizeBytes, (times) => pool.run({ from: 0, to: sizeBytes, times })),
        two: await measure(sizeBytes, (times) =>
          Promise.all([
            pool.run({ from: 0, to: half, times }),
            pool.run({ from: half, to: sizeBytes, times }),
          ]),
        ),
      });
    }
    return measured;
  } finally {
    await pool.destroy();
  }
}

/** Milliseconds that two threads need at least for so many bytes: at the speed of the next smaller array, which is the faster one. */
export function floorMsOf(bytes: number, measured: readonly Bandwidth[]): number {
  const found = measured.findLast(({ sizeBytes }) => sizeBytes <= bytes) ?? measured[0];
  if (!found) throw new Error("no bandwidth was measured");
  return (bytes / found.two) * 1000;
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

/** The compiler's own types declare another `console` for all that see them, so it is imported without. */
async function compile(): Promise<Uint8Array<ArrayBuffer>> {
  const name: string = "assemblyscript/asc";
  const { default: asc } = (await import(name)) as { readonly default: Compiler };
  const { error, stderr, binary } = await asc.compileString(source, {
    optimizeLevel: 3,
    runtime: "stub",
    noAssert: true,
    importMemory: true,
    sharedMemory: true,
    initialMemory: largestBytes / pageBytes,
    maximumMemory: largestBytes / pageBytes,
    enable: ["simd", "threads"],
  });
  if (error || !binary)
    throw new Error(`the reading kernel does not compile: ${stderr.toString()}`);
  return Uint8Array.from(binary);
}
