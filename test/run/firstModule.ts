/**
 * Every process of the quick layer loads this module first (`--import`). Hosts that a test starts also load it, so that
 * one process can open secrets that another process has sealed. The deep layer uses production hashes. Threads do not
 * load the module, because they hash nothing, and start faster without it.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) (await import("./cheapHashes.ts")).useCheapHashes();
