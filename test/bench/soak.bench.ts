/**
 * Does the store end with the memory that it started with? `--minutes n` (default 1), `--seed n`. The work is defined
 * in the engine's tests.
 */
const soak = new URL("../engine/soak.ts", import.meta.url);
await import(soak.href);
