import type { Socket } from "node:net";

/** The folder within the data folder that contains the socket of the running host. */
export const doorFolder = "operator";

/** The file in that folder that contains the path of the socket. */
export const pathFile = "path";

/** Maximum bytes of a line. */
const mostBytes = 2 ** 26;
const newline = 0x0a;

/**
 * Reads the first line from a socket.
 * @throws {Error} if the connection closes before the end of the line, or the line is too long
 */
export async function readLine(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const settle = (end: () => void) => {
      socket.off("data", take).off("end", cut).off("error", reject);
      end();
    };
    const take = (part: Buffer) => {
      const end = part.indexOf(newline);
      parts.push(end < 0 ? part : part.subarray(0, end));
      sizeBytes += part.length;
      if (end >= 0) settle(() => resolve(Buffer.concat(parts)));
      else if (sizeBytes > mostBytes) settle(() => reject(new Error("the line is too long")));
    };
    const cut = () =>
      settle(() => reject(new Error("the connection ended before the end of the line")));
    socket.on("data", take).on("end", cut).on("error", reject);
  });
}
