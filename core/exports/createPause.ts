/** Milliseconds to spend on the main thread before yielding to other work. */
const sliceMs = 2;

/** Creates a function that yields to other work once a time slice of the main thread is used up. */
export function createPause(): () => Promise<void> {
  let beganAt = performance.now();
  return async () => {
    if (performance.now() - beganAt < sliceMs) return;
    await new Promise((resolve) => void setImmediate(resolve));
    beganAt = performance.now();
  };
}
