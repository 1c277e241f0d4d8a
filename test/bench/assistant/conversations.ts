// A thread of the bench `assistant`. It contains the model and the clients that converse with the host. Another thread
// sends the dashboard queries.
import { setTimeout as pause } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { openModelStandIn, type Script } from "../../support/modelStandIn.ts";

/** The pace of the model and of the people. */
export interface ConversationPace {
  /** Milliseconds before the first part of a model's reply, and before every later part. */
  readonly firstPartMs: number;
  readonly partMs: number;
  /** Milliseconds that a person takes to read an answer and to write the next question. */
  readonly readMs: number;
  /** Duration of a whole turn in milliseconds. The conversations start at different points of a turn. */
  readonly turnMs: number;
}

/**
 * The message that starts conversations. Each conversation asks its next question when the previous answer is complete.
 */
export interface Begin {
  readonly url: string;
  /** The key pairs of the people. The conversations use them in rotation. */
  readonly pairs: readonly { readonly key: string; readonly token: string }[];
  readonly datasetId: string;
  /** The queries that the model writes, in rotation. */
  readonly queries: readonly object[];
  readonly conversationCount: number;
  readonly pace: ConversationPace;
}

/** A message to the thread. After `Begin`, any message stops the conversations. */
export type Told = Begin | "end";

/** Messages of the thread: first the model's URL; then, for each `Begin`, one `open` and one `Held`. */
export type Said = { readonly modelUrl: string } | "open" | Held;

/** The result of a round. It counts only answers that were read completely. */
export interface Held {
  readonly wholeCount: number;
  /** Number of model calls from the message `open` to the end of the round. Most answers need two calls. */
  readonly modelCallCount: number;
  /** Descriptions of the answers that did not match the request. */
  readonly problems: readonly string[];
}

const say = (said: Said) => parentPort!.postMessage(said, []);
const model = await openModelStandIn();

/**
 * Returns a script for the model. It first replies with one of the queries, and then with sentences that contain no
 * numbers.
 */
function scriptOf(queries: readonly object[], { firstPartMs, partMs }: ConversationPace): Script {
  return ({ tools }, index) => {
    const isWriting = tools[0]?.name === "write";
    const text = "Some airports are far above the others, and the rest are close to each other. ";
    const written = { text: text.repeat(3), operations: [] };
    const query = queries[index % queries.length];
    const answered = { title: "Flights", chart: "bar-chart", query };
    const call = isWriting
      ? { name: "write", arguments: written }
      : { name: "answer", arguments: answered };
    let isFirst = true;
    const pace = () => {
      const waitMs = isFirst ? firstPartMs : partMs;
      isFirst = false;
      return pause(waitMs);
    };
    return { calls: [call], ...(partMs > 0 && { pace }) };
  };
}

/**
 * Holds a conversation in one of the two streamed forms until the signal is aborted. Returns the number of complete
 * answers.
 */
async function converse(
  { url, pairs, datasetId, pace }: Begin,
  place: number,
  problems: string[],
  signal: AbortSignal,
): Promise<number> {
  const isEvents = place % 2 === 0;
  const question = "How far do flights go?";
  const body = isEvents
    ? {
        properties: {
          agent: "analyst",
          task: "generate",
          stream: true,
          input: [
            { type: "text", value: question },
            { type: "dataset", value: datasetId },
          ],
        },
      }
    : {
        properties: { content: { role: "user", content: question } },
        options: { dataset_id: datasetId, stream: true },
      };
  const call = JSON.stringify({
    action: "create",
    version: "0.1.0",
    ...pairs[place % pairs.length],
    ...body,
  });
  const [resource, item, end] = isEvents
    ? ["aiprompt", "event: asset_end", "event: finish"]
    : ["aimessage", '{"chart":', '{"done":true}'];
  for (let wholeCount = 0; ;) {
    try {
      const answer = await fetch(`${url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: call,
        signal,
      });
      const text = await answer.text();
      if (answer.status === 200 && text.includes(item) && text.includes(end)) wholeCount++;
      else problems.push(`${resource} returned ${answer.status}: ${text.slice(0, 500)}`);
      if (problems.length > 0) return wholeCount;
      if (pace.readMs > 0) await pause(pace.readMs, undefined, { signal });
    } catch (failure) {
      if (signal.aborted) return wholeCount;
      throw failure;
    }
  }
}

async function hold(begin: Begin, ended: Promise<unknown>): Promise<void> {
  const { conversationCount, pace, queries } = begin;
  model.play(scriptOf(queries, pace));
  const leaving = new AbortController();
  const problems: string[] = [];
  let openCount = 0;
  const conversations = Array.from({ length: conversationCount }, async (_, place) => {
    // The conversations start at different times, so that they stay at different points of their turns.
    await pause((place / conversationCount) * pace.turnMs);
    openCount++;
    return converse(begin, place, problems, leaving.signal);
  });
  while (openCount < conversationCount && problems.length === 0) await pause(10);
  const earlierCount = model.requests.length;
  say("open");
  await ended;
  const modelCallCount = model.requests.length - earlierCount;
  leaving.abort();
  const counts = await Promise.all(conversations);
  while (model.open.count > 0) await pause(10);
  const wholeCount = counts.reduce((sum, count) => sum + count, 0);
  say({ wholeCount, modelCallCount, problems });
}

let end = Promise.withResolvers<void>();
parentPort!.on("message", (told: Told) => {
  if (told === "end") end.resolve();
  else {
    end = Promise.withResolvers();
    // A failure here stops the thread, and therefore the bench.
    void hold(told, end.promise);
  }
});
say({ modelUrl: model.url });
