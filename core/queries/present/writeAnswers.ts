import { JsonWriter } from "./jsonWriter.ts";
import { membersOf, type AnsweredCall } from "./presentAnswers.ts";
import { writeRows } from "./writeRows.ts";

/**
 * Writes a call as JSON in chunks. The text is that of `presentAnswers`, except that `processing` excludes the time for
 * writing. Rows are written when their chunk is requested. O(cells).
 */
export function* writeAnswers({ several, answers }: AnsweredCall): Generator<string, void> {
  const writer = new JsonWriter();
  const isList = several || answers.length === 0;
  if (isList) writer.ascii("[");
  for (const [place, answer] of answers.entries()) {
    if (place > 0) writer.ascii(",");
    if ("data" in answer) {
      writer.json(JSON.stringify(answer));
      continue;
    }
    const { batch, secured, parsed, labels } = answer;
    writer.json(`${JSON.stringify(membersOf(answer)).slice(0, -1)},"data":`);
    yield* writeRows(writer, batch, secured.cells, secured.query.columns, parsed, labels);
    writer.ascii("}");
  }
  if (isList) writer.ascii("]");
  yield writer.take();
}
