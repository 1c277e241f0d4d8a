/**
 * Every process of the quick layer loads this module first (`--import`), including hosts that a test starts, so that
 * one process can open secrets sealed by another. The deep layer uses production hashes. Threads skip it because they
 * hash nothing and start faster without it.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) (await import("./cheapHashes.ts")).useCheapHashes();
