import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { isObject } from "../../base/index.ts";
import { doorFolder, pathFile, readLine } from "./line.ts";

/** An answer of the host that runs on a data folder. The host holds it until `end`. */
export interface HostAnswer {
  readonly answer: unknown;
  /** Resolves when the host holds it no more. */
  end(): Promise<void>;
}

/** A host that ended left its note, or is about to answer. */
const gone = new Set(["ENOENT", "ECONNREFUSED"]);

const codeOf = (failure: unknown) =>
  failure instanceof Error && "code" in failure ? String(failure.code) : "";

/**
 * Asks the host that runs on a data folder; undefined when none does. `said` goes with the question, as JSON.
 * @throws {Error} what the host says, or when it may not be asked by this user
 */
export async function askHost(
  dataDir: string,
  question: string,
  said?: object,
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
    socket.write(`${question}${said ? ` ${JSON.stringify(said)}` : ""}\n`);
    const value: unknown = JSON.parse((await readLine(socket)).toString());
    if (!isObject<"problem" | "answer">(value)) throw new Error("the host answered no object");
    if ("problem" in value) throw new Error(String(value.problem));
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // The host died; whoever reads what it held sees that.
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
