import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "../../base/index.ts";
import { isSlow, presentFailure } from "../middleware/index.ts";

export interface HttpServerOptions {
  readonly listener: RequestListener;
  /** Number of reverse proxies in front of the host. If there are any, connections are not counted by address. */
  readonly proxyCount: number;
  /** Maximum number of open connections, in total and per address. */
  readonly connectionCount?: number;
  readonly addressConnectionCount?: number;
  /** Maximum milliseconds for receiving a request, except one that contains a file. */
  readonly requestMs?: number;
}

/**
 * How long an idle connection stays open, in milliseconds. Proxies reuse a connection for up to 60 s. If the host
 * closed it first, a call could be lost.
 */
const keepAliveMs = 75_000;
const headersMs = 20_000;
/** Maximum milliseconds for receiving a request. The limit for bodies is shorter: the host responds within 100 s. */
const usualRequestMs = 130_000;

/** Returns the API error for a failure of the HTTP parser or the socket, by its error code. */
function errorOf(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return new ApiError("REQUEST_HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError("REQUEST_TIMEOUT", ["the time limit of a request"]);
  return new ApiError("REQUEST_MALFORMED");
}

/**
 * Creates the server of a host, which limits the number of connections and the time for receiving a request. The server
 * does not listen yet.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const {
    listener,
    proxyCount,
    connectionCount = 10_000,
    addressConnectionCount = 1_000,
  } = options;
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMs,
      // A request that contains a file may take longer, so the listener enforces the limit.
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      limitTime(request, options.requestMs ?? usualRequestMs);
      listener(request, response);
    },
  );
  server.maxConnections = connectionCount;
  server.on("clientError", createRefuse(server));
  if (proxyCount === 0) server.on("connection", countByAddress(addressConnectionCount));
  return server;
}

/** Closes the connection of a request that has not arrived completely in time. */
function limitTime(request: IncomingMessage, requestMs: number): void {
  const timer = setTimeout(() => {
    if (!request.complete && !isSlow(request)) request.socket.destroy();
  }, requestMs);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

/** Returns a listener that closes further connections from addresses that already have too many. */
function countByAddress(limit: number): (socket: Socket) => void {
  const counts = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? "";
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
    if (count > limit) socket.destroy();
  };
}

/** Creates the handler that answers invalid HTTP with an error body, unless a response is already being sent. */
function createRefuse(server: Server): (failure: NodeJS.ErrnoException, duplex: Duplex) => void {
  const answering = new WeakSet<Duplex>();
  server.on("request", ({ socket }, response) => {
    answering.add(socket);
    response.once("close", () => answering.delete(socket));
  });
  return (failure, socket) => {
    if (failure.code === "ECONNRESET" || !socket.writable || answering.has(socket)) {
      socket.destroy();
      return;
    }
    const body = presentFailure(errorOf(failure.code), randomUUID());
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${body.code} ${body.type.description}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `X-Request-Id: ${body.request_id}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  };
}
