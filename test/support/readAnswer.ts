import { WrittenAnswer } from "../../core/base/contracts/index.ts";

/**
 * Resolves to a handler's answer in the form in which a client reads it. If the handler wrote JSON, the JSON is parsed.
 */
export async function readAnswer(answering: Promise<unknown>): Promise<unknown> {
  const answer = await answering;
  if (!(answer instanceof WrittenAnswer)) return answer;
  let text = "";
  for await (const chunk of answer.chunks) text += String(chunk);
  return JSON.parse(text);
}
