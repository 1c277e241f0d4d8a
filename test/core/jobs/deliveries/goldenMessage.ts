import { createMessages, type Reader } from "../../../../core/jobs/deliveries/createMessage.ts";
import type {
  ReportedAlert,
  ReportedEvaluation,
} from "../../../../core/jobs/deliveries/reported.ts";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import type { Records } from "../../../../core/base/index.ts";
import type { QueryAnswer } from "../../../../core/queries/index.ts";

const [dataset, region, price, day] = [1, 2, 3, 4].map(
  (each) => `00000000-0000-4000-8000-00000000000${each}`,
);
const columns = [
  { id: region, type: "hierarchy", name: { en: "Region", de: "Gebiet", ar: "المنطقة" } },
  {
    id: price,
    type: "numeric",
    name: { en: "Price", de: "Preis", ar: "السعر" },
    format: ",.2f",
    currency_id: "EUR",
  },
  { id: day, type: "datetime", name: { en: "Day", de: "Tag", ar: "اليوم" } },
];

const average = { dataset_id: dataset, column_id: price, aggregation: { type: "average" } };
const dimension = { dataset_id: dataset, column_id: region };

/** The alert of the sample messages: regions whose average price of the day before exceeds 1,000 euros. */
export const goldenAlert = {
  id: "a",
  name: { en: "Prices", de: "Preisalarm", ar: "تنبيه الأسعار" },
  query: {
    dimensions: [dimension],
    measures: [average],
    where: [
      {
        expression: "ago",
        parameters: [
          { dataset_id: dataset, column_id: day },
          { unit: 5, quantity: 1 },
        ],
      },
      { expression: "? not in ?", parameters: [dimension, ["Test", null]] },
    ],
    having: [{ expression: "? > ?", parameters: [average, 1000] }],
    options: { timezone_id: "Europe/Berlin" },
  },
  instance_by: [region],
  notify: "change",
  schedule_id: null,
  securable_id: "d",
  timezone_id: "Europe/Berlin",
  user_id: "u",
} as unknown as ReportedAlert;

const answerOf = (...data: readonly (readonly [string, number])[]) =>
  ({
    data: data.map(([id, value]) => [{ id, name: { en: id } }, value]),
  }) as unknown as QueryAnswer;

const keyOf = (name: string) => JSON.stringify([name]);
const firing = { status: "firing", sinceMs: 0, isAnnounced: true } as const;

/** One region began, one ended, one has no data any more, and one still fires. */
export const goldenEvaluation: ReportedEvaluation = {
  slotMs: Date.UTC(2026, 9, 25, 7),
  answer: answerOf(["Süd", 1234.5], ["West", 98_765.432]),
  values: answerOf(["Nord", 812.25]),
  step: {
    notices: [
      { key: keyOf("Nord"), kind: "resolved" },
      { key: keyOf("Ost"), kind: "resolved", reason: "no_data" },
      { key: keyOf("West"), kind: "firing" },
    ],
    transitions: [{ key: keyOf("West"), from: "ok", to: "firing" }],
    state: new Map([
      [keyOf("Süd"), firing],
      [keyOf("West"), firing],
    ]),
  },
};

/** Creates the message of an evaluation of the sample alert for a reader. */
export async function goldenMessage(
  reader: Reader,
  evaluation: ReportedEvaluation = goldenEvaluation,
  alert: ReportedAlert = goldenAlert,
): Promise<Message> {
  const records = {
    find: async (resource: string) => (resource === "column" ? columns : []),
  } as unknown as Records;
  const publicUrl = () => "https://manifold.example.org";
  const [messageTo] = await createMessages([{ alert, evaluation }], { records, publicUrl });
  return messageTo!(reader);
}
