// Processes that read foreign bytes: one door, one memory budget, and failures that become answers.
// May import: plugins/protocol, plugins/rows/serving.
export { openReader, ReaderEnded, type Reader } from "./openReader.ts";
export { openReaderPool, type ReaderPool } from "./openReaderPool.ts";
export { ReaderFailure } from "./receivedFailure.ts";
export { unreadable } from "./unreadable.ts";
