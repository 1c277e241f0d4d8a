import Type from "typebox";
import type { NamedSchemas } from "../../base/index.ts";
import { alertStatuses, noticeKinds } from "./alertStates.ts";
import { durationUnits } from "./alertRule.ts";
import { channelSchemas } from "./channelConfig.ts";
import { ExportForm } from "./exportForm.ts";
import { mostUnits } from "./frequency.ts";
import { recurrenceUnits } from "./nextDue.ts";
import { QuietHours } from "./quietHours.ts";

const Quantity = (description: string) =>
  Type.Integer({ minimum: 1, maximum: mostUnits, description });
const Unit = (units: readonly string[], description: string) =>
  Type.Enum([...units], { type: "string", description });
const Status = (description: string) =>
  Type.Enum([...alertStatuses], { type: "string", description });
const Key = Type.String({
  description: "The instance, as a JSON list of its values. Empty for the alert as a whole.",
});

/** The schemas of members of alerts, channels and schedules, by the name in the API description. */
export const automationSchemas: NamedSchemas = {
  ...channelSchemas,
  Frequency: Type.Object(
    {
      unit: Unit(recurrenceUnits, "Unit of the time between two runs."),
      quantity: Quantity("Number of units between two runs, such as 2 for every 2 weeks."),
    },
    { additionalProperties: false, description: "How often something recurs." },
  ),
  AlertDuration: Type.Object(
    {
      unit: Unit(durationUnits, "Unit of the duration."),
      quantity: Quantity("Number of units."),
    },
    { additionalProperties: false, description: "A duration in a rule of an alert." },
  ),
  AccelerationSchedule: Type.Object(
    {
      frequency_unit: Unit(recurrenceUnits, "Unit of the time between two loads."),
      frequency_quantity: Quantity("Number of units between two loads."),
    },
    { additionalProperties: false, description: "How often a copy is loaded." },
  ),
  ExportForm,
  QuietHours,
  AlertTransition: Type.Object(
    {
      key: Key,
      from: Status("State before the evaluation."),
      to: Status("State after the evaluation."),
    },
    { description: "A change of state of an alert's instance." },
  ),
  AlertNotice: Type.Object(
    {
      key: Key,
      kind: Type.Enum([...noticeKinds], {
        type: "string",
        description: "The state that the notification reports.",
      }),
      reason: Type.Optional(
        Type.Enum(["no_data"], {
          type: "string",
          description:
            "`no_data` if the instance stopped firing only because it has no rows any more. Absent otherwise.",
        }),
      ),
    },
    { description: "A notification about an alert's instance." },
  ),
};
