import { workerData } from "piscina";

/** A range of bytes in shared memory. Both limits are multiples of 128. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly times: number;
}

const { module, memory } = workerData as {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
};
const { read } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
  read(from: number, to: number): bigint;
};

/** Reads a span repeatedly in a thread of the pool. */
export default function readSpan({ from, to, times }: Span): void {
  for (let time = 0; time < times; time++) read(from, to);
}
