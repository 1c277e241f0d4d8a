/**
 * Every process of the quick layer loads this first (`--import`), also hosts that a test starts: what one of them has
 * sealed, another opens. The deep layer hashes as the product does. Threads hash nothing, and start sooner without it.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) (await import("./cheapHashes.ts")).useCheapHashes();
