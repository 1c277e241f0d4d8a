/**
 * Does the store end with the memory that it started with? `--minutes n` sets the duration (default 1), and `--seed n`
 * the seed. The work is the engine's soak test (`test/engine/soak.ts`).
 */
const soak = new URL("../engine/soak.ts", import.meta.url);
await import(soak.href);
