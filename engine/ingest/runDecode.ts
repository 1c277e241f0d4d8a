import { failureOf, type Failure } from "../failureOf.ts";
import { closeDecodeMemory } from "./decode/decodeMemory.ts";
import { SharedBatchBuffer } from "./decode/sharedBatchBuffer.ts";
import { digestRows } from "./json/digestRows.ts";
import { encodeJson } from "./json/encodeJson.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";

/**
 * Runs a worker's task of decoding JSON, and then releases its memory. Returns failures, because thrown errors lose
 * their code between threads.
 */
export async function runDecode({
  bytes,
  columns,
  buffer,
  digestPrefix,
}: DecodeTask): Promise<DecodeAnswer | Failure> {
  try {
    const given = { ...(columns && { columns }), buffer: new SharedBatchBuffer(buffer) };
    const batch = encodeJson(bytes, given);
    if (digestPrefix === undefined) return { ok: true, batch };
    return { ok: true, batch, digest: digestRows(bytes, digestPrefix) };
  } catch (error) {
    return failureOf(error);
  } finally {
    await closeDecodeMemory();
  }
}
