/** Calls a function while every allocation of a WebAssembly memory fails. */
export async function withoutRoom(run: () => void | Promise<void>): Promise<void> {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = function refuse() {
    throw new RangeError("no room");
  } as unknown as typeof Memory;
  try {
    await run();
  } finally {
    WebAssembly.Memory = Memory;
  }
}
