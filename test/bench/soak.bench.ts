/**
 * Does the store end with the memory that it started with? `--minutes n` (1 when absent), `--seed n`. The work is in
 * the engine's tests.
 */
const soak = new URL("../engine/soak.ts", import.meta.url);
await import(soak.href);
