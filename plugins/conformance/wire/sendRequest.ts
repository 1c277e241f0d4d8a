import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type Duplex, pipeline } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { SentRequest } from "../report.ts";

export interface WireRequest extends SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds to pause after each chunk of the answer. */
  readonly pauseMs?: number;
  /**
   * Milliseconds after which the connection is closed. It is closed earlier if the answer begins before that time.
   * Absent: it stays open until the answer ends.
   */
  readonly hangUpMs?: number;
}

/** An answer exactly as it was received. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The decompressed body of the answer. */
  readonly body: string;
  /** Whether the answer stopped before its announced length or its last chunk. */
  readonly isCut: boolean;
}

const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Sends one request on a separate connection, and returns the answer unchanged. Redirects are not followed, and
 * failures are not retried.
 * @throws {Error} if there is no answer
 */
export function sendRequest(base: string, sent: WireRequest): Promise<WireAnswer> {
  const url = new URL(`${base.replace(/\/+$/, "")}${sent.path}`);
  const open = url.protocol === "https:" ? httpsRequest : httpRequest;
  const { method, signal, body, hangUpMs } = sent;
  const headers = {
    ...sent.headers,
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const request = open(url, { method, headers, signal, agent: false }, (response) => {
      if (hangUpMs !== undefined) hangUp(response.statusCode);
      else readAnswer(response, sent.pauseMs ?? 0).then(resolve, reject);
    });
    const hangUp = (status = 0) => {
      request.destroy();
      resolve({ status, headers: {}, body: "", isCut: true });
    };
    if (hangUpMs !== undefined) setTimeout(hangUp, hangUpMs).unref();
    request.on("error", (failure) => (hangUpMs === undefined ? reject(failure) : hangUp()));
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage, pauseMs: number): Promise<WireAnswer> {
  const unpack = unpackers[response.headers["content-encoding"] ?? ""]?.();
  // If the response fails, the iteration below throws.
  const parts: AsyncIterable<Buffer> = unpack ? pipeline(response, unpack, () => {}) : response;
  const chunks: Buffer[] = [];
  let isCut = false;
  try {
    for await (const part of parts) {
      chunks.push(part);
      if (pauseMs > 0) await pause(pauseMs);
    }
  } catch {
    isCut = true;
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString("utf8"),
    isCut: isCut || !response.complete,
  };
}
