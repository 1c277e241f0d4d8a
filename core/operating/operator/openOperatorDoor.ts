import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../catalog/index.ts";
import { messageOf } from "../../base/index.ts";
import { doorFolder, pathFile, readLine } from "./line.ts";

/** A response to a command. The host keeps its resources until the command disconnects. */
export interface HeldAnswer {
  readonly answer: object;
  end(): Promise<void>;
}

export interface OperatorDoorOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** The handlers of requests by name. Each handler gets the unchecked input that the command sent. */
  readonly requests: Readonly<Record<string, (input: unknown) => Promise<HeldAnswer>>>;
}

/** Maximum length of a Unix socket's path in bytes. Linux allows 107 and macOS 103. */
const longestPath = 100;
const socketFile = "socket";

/**
 * Lets commands of this machine send requests to the host over a Unix socket that only the host's own user can open.
 * The socket is `operator/socket` in the data folder or, if that path is too long, in a temporary folder. The file
 * `operator/path` contains the path of the socket. Undefined on Windows, where Node.js has no Unix sockets.
 */
export async function openOperatorDoor(
  options: OperatorDoorOptions,
): Promise<{ close(): Promise<void> } | undefined> {
  const { dataDir, log, requests } = options;
  if (process.platform === "win32") return undefined;
  const own = join(await realpath(dataDir), doorFolder);
  const folder =
    Buffer.byteLength(join(own, socketFile)) <= longestPath
      ? own
      : await mkdtemp(join(Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : "/tmp", "manifold-"));
  const sockets = new Set<Socket>();
  const answers = new Set<Promise<void>>();
  const answer = async (socket: Socket) => {
    const left = new Promise<void>((resolve) => {
      socket.once("end", () => resolve()).once("close", () => resolve());
    });
    try {
      const [, name = "", input = "null"] =
        /^(\S*)(?: (.*))?$/.exec((await readLine(socket)).toString()) ?? [];
      const handle = Object.hasOwn(requests, name) ? requests[name] : undefined;
      if (!handle) throw new Error(`this host does not know the request ${JSON.stringify(name)}`);
      const held = await handle(JSON.parse(input));
      try {
        socket.write(`${JSON.stringify({ answer: held.answer })}\n`);
        // Keep reading, to detect that the command disconnects.
        socket.resume();
        await left;
      } finally {
        await held.end();
      }
      // The command continues only after the host has closed the connection.
      socket.end();
    } catch (failure) {
      log.warn({ err: failure }, "an operator command failed");
      if (!socket.destroyed) socket.end(`${JSON.stringify({ problem: messageOf(failure) })}\n`);
    }
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    const answered = answer(socket).finally(() => answers.delete(answered));
    answers.add(answered);
  });
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await Promise.all(answers);
    await closed;
    await rm(own, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const each of [own, folder]) {
      await mkdir(each, { recursive: true, mode: 0o700 });
      await chmod(each, 0o700);
    }
    const path = join(folder, socketFile);
    // A host that was killed left this file.
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    server.unref();
    await writeFile(join(own, pathFile), path, { mode: 0o600 });
    return { close };
  } catch (failure) {
    await close();
    throw failure;
  }
}
