import Type, { type Static, type TSchema } from "typebox";
import { type CellForm, type DigestedAlert, isBeginning, type Message } from "./message.ts";

/** The version of the events. It changes only if an app could misread an event of the next version. */
const webhookVersion = "1";

const Id = (description: string) => Type.String({ format: "uuid", description });
const Instant = (description: string) => Type.String({ format: "date-time", description });
const nullable = <Of extends TSchema>(schema: Of) => Type.Union([schema, Type.Null()]);
const oneOf = <Text extends string>(texts: readonly Text[], description: string) =>
  Type.Unsafe<Text>(Type.String({ enum: [...texts], description }));

const Name = Type.Record(Type.String(), Type.String(), {
  description: "The name by language, such as `{en: …}`.",
});
const Url = nullable(
  Type.String({
    description: "URL of the host's page with more information. Null if there is no page.",
  }),
);
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Status = oneOf(
  ["firing", "resolved"] as const,
  "`firing` if any instance started or continues to fire, `resolved` if instances only stopped firing.",
);
const NoticeCounts = Type.Object(
  {
    firing: Type.Optional(Count("Number of instances that fire.")),
    resolved: Type.Optional(Count("Number of instances that stopped firing.")),
    no_data: Type.Optional(Count("Number of instances without data.")),
    error: Type.Optional(Count("Number of instances whose evaluation failed.")),
  },
  { description: "The number of notices by kind.", additionalProperties: false },
);
const Cell = Type.Union(
  [
    Type.Null(),
    Type.Number(),
    Type.String(),
    Type.Object(
      { id: Type.String(), name: Name },
      { description: "A value, with its name in each language." },
    ),
  ],
  { description: "A cell, in the same form as in the answer to a data query." },
);

const Alert = Type.Object(
  {
    alert_id: nullable(Id("Id of the alert. Null for the test of an alert that is not stored.")),
    name: Name,
    status: Status,
    notices: Type.Array(
      Type.Object(
        {
          key: Type.String({
            description:
              "The instance: a JSON list of the values of instance_by, or empty for the alert as a whole.",
          }),
          kind: oneOf(
            ["firing", "resolved", "no_data", "error"] as const,
            "The state that the notice reports.",
          ),
          reason: Type.Optional(
            oneOf(
              ["no_data"] as const,
              "`no_data` if the instance stopped firing only because it has no rows any more. Absent otherwise.",
            ),
          ),
          row: Type.Optional(
            nullable(
              Type.Array(Cell, {
                description:
                  "The present row of the instance, in the order of columns. Null if it has none.",
              }),
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: 20, description: "The first 20 notices; notice_counts counts all of them." },
    ),
    notice_counts: NoticeCounts,
    still_firing: Type.Optional(
      Type.Object(
        {
          count: Count("Number of instances."),
          keys: Type.Array(Type.String(), {
            maxItems: 20,
            description: "The first 20 instances, in the form of `notices[].key`.",
          }),
        },
        {
          additionalProperties: false,
          description:
            "Announced instances that still fire, although no notice reports them. Absent if there are none.",
        },
      ),
    ),
    thresholds: Type.Optional(
      Type.Array(
        Type.Object(
          {
            column: nullable(
              Count("Position of the measure in columns. Null if the query does not return it."),
            ),
            operator: Type.String({ description: "The comparison, such as `>`." }),
            value: Type.Number({ description: "The number with which the measure is compared." }),
          },
          { additionalProperties: false },
        ),
        {
          description: "The comparisons with a number in the condition. Absent if there are none.",
        },
      ),
    ),
    condition: Type.String({ description: "The filters of the query in words; may be empty." }),
    columns: Type.Array(
      Type.Object(
        {
          dataset_id: nullable(Id("Id of the column's dataset.")),
          column_id: nullable(
            Type.String({
              description: "Id of the column, or `*` for a number of rows. Null for a formula.",
            }),
          ),
          formula_id: nullable(Id("Id of the formula. Null for a column.")),
          aggregation: nullable(
            Type.String({
              description: "The aggregation of a measure, such as `sum`. Null for a dimension.",
            }),
          ),
          label: Type.String({ description: "The name in the language of the alert's user." }),
          type: oneOf(
            ["text", "number", "instant", "day", "date"] as const,
            "Form of the cells. `day` is the first day of a period in `query_timezone_id`, `date` is a date without a time.",
          ),
        },
        { additionalProperties: false },
      ),
      { description: "The columns of rows, in order; empty if the query could not be answered." },
    ),
    rows: Type.Array(Type.Array(Cell), {
      maxItems: 20,
      description: "The first 20 rows that the alert's user may see.",
    }),
    row_count: Count("Number of rows in the whole answer."),
    evaluated_for: Instant("The instant for which the alert was evaluated."),
    timezone_id: Type.String({ description: "The IANA name of the alert's time zone." }),
    query_timezone_id: Type.String({
      description: "The IANA name of the time zone of the query's periods.",
    }),
    locale_id: Type.String({ description: "The language of labels, as a BCP 47 tag." }),
    url: Url,
    dashboard_url: Type.Optional(
      Type.String({
        description:
          "URL of the dashboard from which the alert was created, with the choices under which it was created. Absent without a dashboard.",
      }),
    ),
    explore_url: Type.Optional(
      Type.String({
        description:
          "URL that opens the rows of the alert in the console, with its filters. Absent if Explore cannot show them.",
      }),
    ),
  },
  { additionalProperties: false },
);

const Digest = Type.Object(
  {
    name: Name,
    alert_count: Count("Number of evaluations in the digest."),
    notice_counts: NoticeCounts,
    alerts: Type.Array(
      Type.Object(
        {
          alert_id: Id("Id of the alert."),
          name: Name,
          status: Status,
          notice_counts: NoticeCounts,
          row_count: nullable(
            Count("Number of rows in the answer. Null if the query was not answered."),
          ),
          evaluated_for: Instant("The instant for which the alert was evaluated."),
          url: Url,
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000, description: "The first 1,000 evaluations, by instant." },
    ),
    url: Url,
  },
  { additionalProperties: false },
);

const Export = Type.Object(
  {
    export_id: nullable(Id("Id of the export, which `exportevent get` describes.")),
    schedule_id: nullable(Id("Id of the schedule that sends the dashboard.")),
    dashboard_id: nullable(Id("Id of the dashboard.")),
    name: Name,
    problem: nullable(
      Type.String({
        description: "The items that could not be drawn. Null if all items were drawn.",
      }),
    ),
    scheduled_for: Instant("The instant for which the dashboard was drawn."),
    timezone_id: Type.String({ description: "The IANA name of the schedule's time zone." }),
    url: Url,
    more_files: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ description: "Name of the file." }),
            url: Type.String({ description: "URL of the file." }),
          },
          { additionalProperties: false },
        ),
        { description: "The files after the first one. Absent if there is one file." },
      ),
    ),
    dashboard_url: Type.Optional(
      Type.String({ description: "URL of the dashboard. Absent if it was deleted." }),
    ),
  },
  { additionalProperties: false },
);

const Test = Type.Object({ name: Name, url: Url }, { additionalProperties: false });

const Channel = Type.Object(
  {
    failed_channel_id: nullable(Id("Id of the channel that does not work.")),
    name: Name,
    problem: Type.String({ description: "Why the channel does not work." }),
    noticed_at: Instant("When the host noticed the failure."),
    url: Url,
  },
  { additionalProperties: false },
);

/** Each type of event: when the host sends it, and the schema of its `data`. */
export const webhookEvents = {
  alert: { meaning: "One evaluation of an alert has something to report.", data: Alert },
  digest: {
    meaning:
      "Several alerts had something to report within a minute, and the host combined their events.",
    data: Digest,
  },
  export: { meaning: "A scheduled dashboard was drawn; its file is at the link.", data: Export },
  test: { meaning: "A person tests the channel.", data: Test },
  channel: {
    meaning: "Another channel of the same owner does not work; this channel reports it.",
    data: Channel,
  },
} as const satisfies Record<Message["kind"], { readonly meaning: string; readonly data: TSchema }>;

export type WebhookType = keyof typeof webhookEvents;

/** Returns the JSON schema of the events of one type: the whole body of the request. */
export function webhookSchema(type: WebhookType) {
  const { meaning, data } = webhookEvents[type];
  return Type.Object(
    {
      id: Id("Id of the message, which equals the header `webhook-id` in every attempt."),
      type: Type.Literal(type),
      version: Type.Literal(webhookVersion),
      timestamp: Instant(
        "The instant that the event is about. It may be earlier than the request.",
      ),
      organization_id: nullable(Id("Id of the organization of the channel's owner.")),
      channel_id: nullable(Id("Id of the channel that sends the event. Null in a preview.")),
      data,
    },
    { additionalProperties: false, description: meaning },
  );
}

/** The ids of an event that do not depend on its message. */
export interface WebhookIds {
  readonly id: string;
  readonly organizationId: string | null;
  readonly channelId: string | null;
}

/** Renders the body of a webhook. */
export function renderWebhook(message: Message, ids: WebhookIds): object {
  return {
    id: ids.id,
    type: message.kind,
    version: webhookVersion,
    timestamp: instantOf(message.slotMs),
    organization_id: ids.organizationId,
    channel_id: ids.channelId,
    data: dataOf(message),
  };
}

function dataOf(message: Message): Static<(typeof webhookEvents)[WebhookType]["data"]> {
  const { name, link: url = null, problem = null } = message;
  switch (message.kind) {
    case "alert":
      return alertData(message);
    case "digest":
      return {
        name,
        alert_count: message.rowCount,
        notice_counts: message.noticeCounts,
        alerts: (message.alerts ?? []).map(digestedData),
        url,
      };
    case "export": {
      const { moreLinks = [], dashboardLink } = message;
      const { eventId = null, scheduleId = null, dashboardId = null } = message.exported ?? {};
      return {
        export_id: eventId,
        schedule_id: scheduleId,
        dashboard_id: dashboardId,
        name,
        problem,
        scheduled_for: instantOf(message.slotMs),
        timezone_id: message.zone,
        url,
        ...(moreLinks.length > 0 && {
          more_files: moreLinks.map(({ text, url: file }) => ({ name: text, url: file })),
        }),
        ...(dashboardLink !== undefined && { dashboard_url: dashboardLink }),
      };
    }
    case "test":
      return { name, url };
    case "channel":
      return {
        failed_channel_id: message.failedChannelId ?? null,
        name,
        problem: problem ?? "",
        noticed_at: instantOf(message.slotMs),
        url,
      };
    default:
      return message.kind satisfies never;
  }
}

function alertData(message: Message): Static<typeof Alert> {
  const { forms, heads, references = [], instances, stillFiring, thresholds } = message;
  const { dashboardLink, exploreLink } = message;
  return {
    alert_id: message.alertId,
    name: message.name,
    status: statusOf(message),
    notices: message.notices.map(({ key, kind, reason }) => {
      const listed = instances?.find((each) => each.key === key);
      return { key, kind, ...(reason && { reason }), ...(listed && { row: cellsOf(listed.row) }) };
    }),
    notice_counts: message.noticeCounts,
    ...(stillFiring && {
      still_firing: {
        count: stillFiring.count,
        keys: stillFiring.instances.map(({ key }) => key),
      },
    }),
    ...(thresholds && {
      thresholds: thresholds.map(({ cell, operator, value }) => ({
        column: cell,
        operator,
        value,
      })),
    }),
    condition: message.condition,
    columns: forms.map((type: CellForm, index) => ({
      dataset_id: references[index]?.datasetId ?? null,
      column_id: references[index]?.columnId ?? null,
      formula_id: references[index]?.formulaId ?? null,
      aggregation: references[index]?.aggregation ?? null,
      label: heads[index] ?? "",
      type,
    })),
    rows: message.rows.map((row) => [...row]),
    row_count: message.rowCount,
    evaluated_for: instantOf(message.slotMs),
    timezone_id: message.zone,
    query_timezone_id: message.queryZone,
    locale_id: message.locale,
    url: message.link ?? null,
    ...(dashboardLink !== undefined && { dashboard_url: dashboardLink }),
    ...(exploreLink !== undefined && { explore_url: exploreLink }),
  };
}

const cellsOf = (row: Message["rows"][number] | null) => row && [...row];

const digestedData = (alert: DigestedAlert) => ({
  alert_id: alert.alertId,
  name: alert.name,
  status: statusOf(alert),
  notice_counts: alert.noticeCounts,
  row_count: alert.rowCount,
  evaluated_for: instantOf(alert.slotMs),
  url: alert.link,
});

const statusOf = (of: Pick<Message, "noticeCounts">): Static<typeof Status> =>
  isBeginning(of) ? "firing" : "resolved";

const instantOf = (ms: number): string => new Date(ms).toISOString();
