import { allowAny, allowOwner, allowThrough } from "./allow.ts";
import {
  type Declaration,
  choice,
  flag,
  identity,
  instant,
  number,
  settable,
  text,
  timeZone,
  timestamps,
  uuid,
} from "./kernel/index.ts";
import { securable } from "./securable.ts";
import { frequencyUnits } from "./frequency.ts";

const positive = (what: string) => (value: unknown) =>
  Number(value) > 0 ? undefined : `be more than 0 ${what}`;

/** When something recurs: the synchronisation of a dataset, an export, an alert. */
export const schedule: Declaration = {
  name: "schedule",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields: {
    ...identity,
    frequency_quantity: number({ ...settable, check: positive("units") }),
    frequency_unit: choice(frequencyUnits, settable),
    frequency: number({ ...settable, check: positive("minutes") }),
    timezone: timeZone(settable),
    active: flag({ ...settable, nullable: false, default: true }),
    task: text(settable),
    retries: number({
      ...settable,
      nullable: false,
      default: 0,
      check: (value) =>
        Number.isInteger(value) && Number(value) >= 0 ? undefined : "be a whole number from 0",
    }),
    started_at: instant(settable),
    completed_at: instant(),
    scheduled_at: instant(),
    securable_id: uuid(),
    user_id: uuid({ nullable: false }),
    ...timestamps,
  },
  allow: allowAny(
    allowOwner("user_id"),
    allowThrough(() => securable, "securable_id"),
  ),
  associations: {
    Securable: {
      kind: "one",
      resource: "securable",
      key: "securable_id",
      isPart: true,
      roles: ["modify", "modify"],
    },
    Alerts: { kind: "many", resource: "alert", key: "schedule_id", roles: ["modify", "own"] },
    User: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
