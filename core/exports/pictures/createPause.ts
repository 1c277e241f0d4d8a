/** Milliseconds of the main thread between two looks at other work. */
const sliceMs = 2;

/** Makes a function that lets other work take its turn, once a slice of the main thread is used up. */
export function createPause(): () => Promise<void> {
  let beganAt = performance.now();
  return async () => {
    if (performance.now() - beganAt < sliceMs) return;
    await new Promise((resolve) => void setImmediate(resolve));
    beganAt = performance.now();
  };
}
