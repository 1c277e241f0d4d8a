import { WrittenAnswer } from "../../core/contracts/index.ts";

/** What a handler answered, as a client reads it: of a written answer the value of its JSON. */
export async function readAnswer(answering: Promise<unknown>): Promise<unknown> {
  const answer = await answering;
  if (!(answer instanceof WrittenAnswer)) return answer;
  let text = "";
  for await (const chunk of answer.chunks) text += String(chunk);
  return JSON.parse(text);
}
