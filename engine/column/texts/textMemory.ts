import { openTextKernels } from "../../kernels/openKernels.ts";
import type { TextKernels } from "../../kernels/textKernels.ts";
import { startOf, type TextBytesView } from "./compareBytes.ts";

const pageBytes = 65_536;
const mostPages = 65_536;
/** Number of bytes that kernels may read after the end of the strings. */
const slackBytes = 64;
/** Maximum number of memory pages that a thread keeps between calls. */
const keptPages = 256;

/**
 * A thread's memory for ordering and searching strings. Strings are copied into it, and its content is valid during one
 * call.
 */
interface TextMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernels: TextKernels;
}

let opened: TextMemory | undefined;

/**
 * Strings in the memory, in the form that `TextKernels` read. `room` is the address of the requested free space after
 * the strings.
 */
interface PlacedTexts {
  readonly kernels: TextKernels;
  readonly buffer: ArrayBufferLike;
  readonly bytes: number;
  readonly starts: number;
  readonly room: number;
}

/**
 * Copies the strings with codes from `first` to below `until` into this thread's memory and calls `run`. Afterwards,
 * releases the memory if it has become large.
 */
export function withTexts<Result>(
  { bytes, ends }: TextBytesView,
  first: number,
  until: number,
  roomBytes: number,
  run: (placed: PlacedTexts) => Result,
): Result {
  const from = startOf(ends, first);
  const textBytes = (until === 0 ? 0 : startOf(ends, until)) - from;
  const startsAt = 64;
  const bytesAt = roundUp(startsAt + (until - first + 1) * 4);
  const room = roundUp(bytesAt + textBytes + slackBytes);
  const pageCount = Math.ceil((room + roomBytes) / pageBytes);
  const { memory, kernels } = openPages(pageCount);
  const { buffer } = memory;
  const starts = new Uint32Array(buffer, startsAt, until - first + 1);
  starts[0] = from;
  starts.set(ends.subarray(first, until), 1);
  new Uint8Array(buffer, bytesAt).set(bytes.subarray(from, from + textBytes));
  try {
    return run({ kernels, buffer, bytes: bytesAt - from, starts: startsAt, room });
  } finally {
    if (pageCount > keptPages) opened = undefined;
  }
}

function openPages(pageCount: number): TextMemory {
  opened ??= openTextMemory();
  const missing = pageCount - opened.memory.buffer.byteLength / pageBytes;
  if (missing > 0) opened.memory.grow(missing);
  return opened;
}

function openTextMemory(): TextMemory {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages, shared: true });
  return { memory, kernels: openTextKernels(memory) };
}

function roundUp(address: number): number {
  return Math.ceil(address / 64) * 64;
}
