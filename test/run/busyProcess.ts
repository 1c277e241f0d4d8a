/** Keeps a processor busy until the parent process disconnects or exits. */
const turnMs = 50;

process.once("disconnect", () => process.exit());

function spin(): void {
  for (const endMs = performance.now() + turnMs; performance.now() < endMs;);
  setImmediate(spin);
}

spin();
