import { WrittenAnswer } from "../../core/base/contracts/index.ts";

/** Resolves to the answer of a handler as a client reads it: a written answer is parsed from its JSON. */
export async function readAnswer(answering: Promise<unknown>): Promise<unknown> {
  const answer = await answering;
  if (!(answer instanceof WrittenAnswer)) return answer;
  let text = "";
  for await (const chunk of answer.chunks) text += String(chunk);
  return JSON.parse(text);
}
