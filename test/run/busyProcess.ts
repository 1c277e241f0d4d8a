/** Keeps a processor busy until its parent disconnects or ends. */
const turnMs = 50;

process.once("disconnect", () => process.exit());

function spin(): void {
  for (const endMs = performance.now() + turnMs; performance.now() < endMs;);
  setImmediate(spin);
}

spin();
