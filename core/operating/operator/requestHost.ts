import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { isObject } from "../../base/index.ts";
import { doorFolder, pathFile, readLine } from "./line.ts";

/**
 * A response of the host that runs on a data folder. The host keeps the resources of the response until `end` is
 * called.
 */
export interface HostAnswer {
  readonly answer: unknown;
  /** Resolves when the host has released the resources. */
  end(): Promise<void>;
}

/** Error codes if the host stopped without removing the file that contains the path, or is about to listen. */
const gone = new Set(["ENOENT", "ECONNREFUSED"]);

const codeOf = (failure: unknown) =>
  failure instanceof Error && "code" in failure ? String(failure.code) : "";

/**
 * Sends a request to the host that runs on a data folder, with `input` as JSON. Undefined if no host runs.
 * @throws {Error} with the host's message, or if this user may not connect
 */
export async function requestHost(
  dataDir: string,
  name: string,
  input?: object,
): Promise<HostAnswer | undefined> {
  let socket: Socket;
  try {
    const path = await readFile(join(dataDir, doorFolder, pathFile), "utf8");
    socket = await open(path);
  } catch (failure) {
    if (gone.has(codeOf(failure))) return undefined;
    throw failure;
  }
  try {
    socket.write(`${name}${input ? ` ${JSON.stringify(input)}` : ""}\n`);
    const value: unknown = JSON.parse((await readLine(socket)).toString());
    if (!isObject<"problem" | "answer">(value))
      throw new Error("the host's response must be an object");
    if ("problem" in value) throw new Error(String(value.problem));
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // The host crashed. Code that uses its resources will detect it.
    socket.on("error", () => undefined).resume();
    return {
      answer: value.answer,
      async end() {
        socket.end();
        await closed;
      },
    };
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
