import { code, kept, linked, searched, type MemberUses } from "./memberUse.ts";

const alerts = kept("alerts do not run yet; the host keeps and checks what they will run by");
const schedules = kept("schedules do not run yet; the host keeps what they will run by");
const accelerations = kept("accelerations do not load data yet; the host keeps the settings");
const conversations = kept("the host has no model that answers; the conversation is kept as sent");

/** Records that are kept until the host runs them. */
export const later: Readonly<Record<string, MemberUses>> = {
  alert: {
    name: searched,
    query: alerts,
    chart_id: kept("the chart that an alert was made from, which clients show"),
    frequency: alerts,
    timezone_id: alerts,
    securable_id: linked,
    schedule_id: linked,
    user_id: code("resources/automation/alert.ts", "user_id: call.principal.userId"),
    channels: code("resources/automation/alert.ts", "values.channels"),
  },
  channel: {
    name: searched,
    type: alerts,
    config: alerts,
    user_id: code("resources/automation/channel.ts", "user_id: principal.userId"),
  },
  schedule: {
    frequency_quantity: schedules,
    frequency_unit: schedules,
    frequency: schedules,
    timezone: schedules,
    active: schedules,
    task: schedules,
    retries: schedules,
    started_at: schedules,
    completed_at: schedules,
    scheduled_at: schedules,
    securable_id: linked,
    user_id: code("resources/automation/schedule.ts", "user_id: principal.userId"),
  },
  acceleration: {
    load_type: accelerations,
    data_storage_strategy: accelerations,
    created_at_column_id: accelerations,
    updated_at_column_id: accelerations,
    deleted_at_column_id: accelerations,
    primary_key_column_ids: accelerations,
    schedule: accelerations,
    user_id: code("resources/automation/acceleration.ts", "user_id: principal.userId"),
  },
  aiconversation: {
    name: searched,
    user_id: code("resources/ai/aiConversation.ts", "user_id: principal.userId"),
  },
  aimessage: { content: conversations, conversation_id: linked },
  aimessageasset: { type: conversations, value: conversations, message_id: linked },
};
