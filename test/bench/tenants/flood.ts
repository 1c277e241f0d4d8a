import { constants, setPriority } from "node:os";

/** Input of the process: the bodies that its clients send in rotation. */
export interface FloodTask {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly clientCount: number;
}

/** The message with which the process replies to the message `end`. */
export interface Flooded {
  readonly answerCount: number;
  /** A response that is neither a success nor the refusal of a busy host. */
  readonly refused?: string;
}

setPriority(constants.priority.PRIORITY_LOW);
let isEnding = false;
process.once("message", (task: FloodTask) => void flood(task));

async function flood({ url, bodies, clientCount }: FloodTask): Promise<void> {
  process.once("message", () => (isEnding = true));
  let [answerCount, refused]: [number, string | undefined] = [0, undefined];
  const client = async (_: unknown, first: number) => {
    for (let turn = first; !isEnding; turn++) {
      const body = bodies[turn % bodies.length] ?? "";
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body });
      const text = await answer.text();
      answerCount++;
      if (answer.status !== 200 && answer.status !== 503)
        refused = `${answer.status} ${text.slice(0, 200)}`;
    }
  };
  await Promise.all(Array.from({ length: clientCount }, client));
  const flooded: Flooded = { answerCount, ...(refused !== undefined && { refused }) };
  process.send?.(flooded, () => process.exit());
}
